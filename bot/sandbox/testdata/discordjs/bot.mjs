// A small bot as people write them with discord.js: a handler for each command, button, menu and form.
import {
  ActionRowBuilder, ApplicationCommandType, AttachmentBuilder, ButtonBuilder, ButtonStyle, ChannelSelectMenuBuilder,
  Client, ContainerBuilder, ContextMenuCommandBuilder, GatewayIntentBits, LabelBuilder, MediaGalleryBuilder,
  MessageFlags, ModalBuilder, Partials, SectionBuilder, SeparatorBuilder, SlashCommandBuilder, StringSelectMenuBuilder,
  TextDisplayBuilder, TextInputBuilder, TextInputStyle, UserSelectMenuBuilder,
} from 'discord.js';

// dot is a picture of one point.
const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64',
);
export const picture = () => new AttachmentBuilder(dot, { name: 'dot.png', description: 'one green point' });

export const cities = ['Francistown', 'Gaborone', 'Ghanzi', 'Kasane', 'Maun', 'Serowe'];

export const globalCommands = [
  new SlashCommandBuilder().setName('picture').setDescription('Shows a picture')
    .addStringOption((o) => o.setName('size').setDescription('How large').setRequired(true)
      .addChoices({ name: 'Small', value: 's' }, { name: 'Large', value: 'l' }))
    .addBooleanOption((o) => o.setName('private').setDescription('For you alone')),
  new SlashCommandBuilder().setName('slow').setDescription('Answers late'),
  new SlashCommandBuilder().setName('panel').setDescription('Shows a panel'),
  new SlashCommandBuilder().setName('menus').setDescription('Shows menus'),
  new SlashCommandBuilder().setName('once').setDescription('Shows a button that takes itself away'),
  new SlashCommandBuilder().setName('form').setDescription('Shows a form'),
  new SlashCommandBuilder().setName('city').setDescription('Names a city')
    .addStringOption((o) => o.setName('name').setDescription('Which').setRequired(true).setAutocomplete(true)),
];

export const guildCommands = [
  new SlashCommandBuilder().setName('table').setDescription('Tables')
    .addSubcommand((c) => c.setName('open').setDescription('Opens one')
      .addNumberOption((o) => o.setName('stake').setDescription('How much').setMinValue(0.5))
      .addChannelOption((o) => o.setName('where').setDescription('In which channel')))
    .addSubcommandGroup((g) => g.setName('seat').setDescription('Seats')
      .addSubcommand((c) => c.setName('give').setDescription('Gives one').addUserOption(
        (o) => o.setName('to').setDescription('Whom').setRequired(true),
      ))),
  new ContextMenuCommandBuilder().setName('Wave at').setType(ApplicationCommandType.User),
  new ContextMenuCommandBuilder().setName('Quote').setType(ApplicationCommandType.Message),
];

const buttons = (n, id = 'count') => new ActionRowBuilder().addComponents(
  new ButtonBuilder().setCustomId(`${id}:${n}`).setLabel(`Pressed ${n}`).setStyle(ButtonStyle.Primary),
  new ButtonBuilder().setLabel('Rules').setStyle(ButtonStyle.Link).setURL('https://example.org/rules'),
);

// panel is a message of the newer layout; n is how often its button was pressed.
const panel = (n) => ({
  flags: MessageFlags.IsComponentsV2,
  components: [
    new TextDisplayBuilder().setContent('# Panel'),
    new ContainerBuilder().setAccentColor(0x2f855a)
      .addSectionComponents(new SectionBuilder()
        .addTextDisplayComponents((t) => t.setContent(`pressed ${n} times`))
        .setButtonAccessory((b) => b.setCustomId('reset').setLabel('Reset').setStyle(ButtonStyle.Secondary)))
      .addSeparatorComponents(new SeparatorBuilder().setDivider(true))
      .addMediaGalleryComponents(new MediaGalleryBuilder().addItems(
        (i) => i.setURL('attachment://dot.png').setDescription('one green point'),
      ))
      .addActionRowComponents(buttons(n)),
  ],
  files: [picture()],
});

const menus = () => [
  new StringSelectMenuBuilder().setCustomId('colour').setMinValues(1).setMaxValues(2)
    .addOptions({ label: 'Black', value: 'b' }, { label: 'White', value: 'w', default: true }),
  new UserSelectMenuBuilder().setCustomId('whom').setPlaceholder('Whom?'),
  new ChannelSelectMenuBuilder().setCustomId('where').setPlaceholder('Where?'),
].map((menu) => new ActionRowBuilder().addComponents(menu));

const form = () => new ModalBuilder().setCustomId('form').setTitle('A form').addLabelComponents(
  new LabelBuilder().setLabel('Your name').setTextInputComponent(
    new TextInputBuilder().setCustomId('name').setStyle(TextInputStyle.Short).setMaxLength(20),
  ),
  new LabelBuilder().setLabel('Your colour').setStringSelectMenuComponent(
    new StringSelectMenuBuilder().setCustomId('colour')
      .addOptions({ label: 'Black', value: 'b' }, { label: 'White', value: 'w' }),
  ),
);

const commands = {
  picture: (i) => i.reply({
    content: `size ${i.options.getString('size')}`,
    files: [picture()],
    flags: i.options.getBoolean('private') ? MessageFlags.Ephemeral : undefined,
  }),
  async slow(i) {
    await i.deferReply();
    await i.editReply({ content: `done for ${i.member.displayName}` });
    await i.followUp({ content: 'and this for you alone', flags: MessageFlags.Ephemeral });
  },
  panel: (i) => i.reply(panel(0)),
  menus: (i) => i.reply({ content: 'choose', components: menus() }),
  async once(i) {
    const shown = { content: 'press', components: [buttons(0, 'once')], withResponse: true };
    const { resource: { message } } = await i.reply(shown);
    const press = await message.awaitMessageComponent({ time: 10_000, filter: (p) => p.user.id === i.user.id });
    await press.deferUpdate();
    await i.deleteReply();
  },
  form: (i) => i.showModal(form()),
  city: (i) => i.reply(`You said ${i.options.getString('name')}`),
  async table(i) {
    const where = i.options.getChannel('where');
    if (i.options.getSubcommand() === 'open') {
      return i.reply(`open for ${i.options.getNumber('stake')} in ${where.name}`);
    }
    const to = i.options.getMember('to');
    const content = `${i.options.getSubcommandGroup()} for ${to.displayName}`;
    return i.reply({ content, allowedMentions: { parse: [] } });
  },
  'Wave at': (i) => i.reply(`${i.user.displayName} waves at ${i.targetMember.displayName}`),
  Quote: (i) => i.reply(`${i.targetMessage.author.displayName} said: ${i.targetMessage.content}`),
};

const controls = {
  async count(i, n) {
    await i.update(panel(Number(n) + 1));
  },
  async reset(i) {
    await i.deferUpdate();
    await i.editReply(panel(0));
  },
  colour: (i) => i.update({ content: `colours ${i.values.join(' ')}` }),
  whom: (i) => i.reply({ content: `chose ${i.members.first().displayName}`, flags: MessageFlags.Ephemeral }),
  where: (i) => i.reply({ content: `chose ${i.channels.first().name}`, flags: MessageFlags.Ephemeral }),
  form: (i) => i.reply(
    `${i.fields.getTextInputValue('name')} plays ${i.fields.getStringSelectValues('colour').join()}`,
  ),
};

function complete(i) {
  const typed = i.options.getFocused().toLowerCase();
  const fitting = cities.filter((c) => c.toLowerCase().startsWith(typed));
  return i.respond(fitting.map((c) => ({ name: c, value: c.toLowerCase() })));
}

function handle(i) {
  if (i.isAutocomplete()) return complete(i);
  if (i.isCommand()) return commands[i.commandName](i);
  const [name, ...rest] = i.customId.split(':');
  return controls[name]?.(i, ...rest); // others are waited for where they were shown
}

// makeBot is the bot, not yet connected. What goes wrong in a handler is told as 'failed'.
export function makeBot(sandbox) {
  const bot = new Client({
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.DirectMessages],
    partials: [Partials.Channel, Partials.Message],
    rest: { api: sandbox.api, cdn: `${sandbox.origin}/cdn` },
  });
  bot.on('interactionCreate', (i) => Promise.resolve().then(() => handle(i)).catch((err) => bot.emit('failed', err)));
  return bot;
}
