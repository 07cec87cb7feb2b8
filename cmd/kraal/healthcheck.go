package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

type healthCmd struct{}

// healthTime is how long the bot has to answer.
const healthTime = 5 * time.Second

// Run asks the bot that runs with this config; exit code 0 says that it is well. A container without a shell can ask so.
func (healthCmd) Run(p *program) error {
	c, _, err := loadConfig(p.config, p.environ)
	if err != nil {
		return err
	}
	if c.HTTP.Listen == "" {
		return errors.New("http.listen is not set, so that the bot cannot be asked; set it to 127.0.0.1:8018")
	}
	address := "http://" + nearby(c.HTTP.Listen) + "/healthz"
	request, err := http.NewRequestWithContext(p.ctx, http.MethodGet, address, nil)
	if err != nil {
		return fmt.Errorf("http.listen: %w", err)
	}
	// Through no proxy: what is asked is on this machine.
	response, err := (&http.Client{Timeout: healthTime, Transport: &http.Transport{DisableKeepAlives: true}}).Do(request)
	if err != nil {
		return fmt.Errorf("the bot does not answer: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	said, err := io.ReadAll(io.LimitReader(response.Body, 4<<10))
	if err != nil {
		return fmt.Errorf("the bot does not answer: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the bot is not well: %s", strings.TrimSpace(string(said)))
	}
	_, err = p.out.Write(said)
	return err
}

// nearby is where something that listens at an address is reached from this machine.
func nearby(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return listen
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
		if ip != nil && ip.To4() == nil {
			host = "::1"
		}
	}
	return net.JoinHostPort(host, port)
}
