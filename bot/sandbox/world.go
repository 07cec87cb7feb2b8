package sandbox

// botID is the bot's: its application and its user share one id, as for most bots.
const botID = "200000000000000001"

// Person is an account.
type Person struct {
	ID       string
	Username string
	Name     string // the display name
	Bot      bool
	Locale   string // of the app, one of Discord's; en-US where it is empty
}

// The types of channel that the sandbox knows (resources/channel).
const (
	TextChannel   = 0
	DirectChannel = 1
	PublicThread  = 11
	PrivateThread = 12
)

// Channel is a place for messages.
type Channel struct {
	ID     string
	Name   string
	Type   int
	Parent string // of a thread
}

// Server is a guild.
type Server struct {
	ID       string
	Name     string
	Owner    string
	Channels []Channel
	Members  []string // ids of people; the bot is a member without being named
	Roles    []Role   // besides that of everyone
}

// Role is what some members of a server are. It gives nobody a permission.
type Role struct {
	ID      string
	Name    string
	Members []string // ids of people
}

// World is who and what there is at the start.
type World struct {
	People  []Person
	Servers []Server
}

// DefaultWorld has two servers that share members, a person who is in the second alone, and another bot.
func DefaultWorld() World {
	return World{
		People: []Person{
			{ID: "100000000000000001", Username: "naledi", Name: "Naledi"},
			{ID: "100000000000000002", Username: "thabo", Name: "Thabo"},
			{ID: "100000000000000003", Username: "ines", Name: "Inês"},
			{ID: "100000000000000004", Username: "marek", Name: "Marek"},
			{ID: "100000000000000005", Username: "yuki", Name: "Yuki"},
			{ID: "100000000000000006", Username: "amara", Name: "Amara"},
			{ID: "200000000000000002", Username: "jukebox", Name: "Jukebox", Bot: true},
		},
		Servers: []Server{
			{
				ID: "300000000000000001", Name: "Village green", Owner: "100000000000000001",
				Channels: []Channel{
					{ID: "400000000000000001", Name: "games"},
					{ID: "400000000000000002", Name: "general"},
					{ID: "400000000000000003", Name: "quiet-corner"},
				},
				Members: []string{
					"100000000000000001", "100000000000000002", "100000000000000003", "100000000000000004",
					"100000000000000005", "200000000000000002",
				},
			},
			{
				ID: "300000000000000002", Name: "Club room", Owner: "100000000000000006",
				Channels: []Channel{
					{ID: "400000000000000004", Name: "tables"},
					{ID: "400000000000000005", Name: "results"},
				},
				Members: []string{"100000000000000006", "100000000000000001", "100000000000000002"},
			},
		},
	}
}
