package sandbox

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestGuardLetsActWhoHasTheKey(t *testing.T) {
	const key = "OPENSESAME"
	g := newGuard("127.0.0.1:8017", key)
	cookie := g.cookie + "=" + key
	for _, test := range []struct {
		name, host string
		header     map[string]string
		want       bool
	}{
		{"without the key", "127.0.0.1:8017", nil, false},
		{"a tool", "127.0.0.1:8017", map[string]string{"Authorization": "Bearer " + key}, true},
		{"a tool with another key", "127.0.0.1:8017", map[string]string{"Authorization": "Bearer x"}, false},
		{"with a wrong cookie", "127.0.0.1:8017", map[string]string{"Cookie": g.cookie + "=x"}, false},
		{"with another port's cookie", "127.0.0.1:8017", map[string]string{"Cookie": "sandbox_1=" + key}, false},
		{"the page", "127.0.0.1:8017", map[string]string{"Cookie": cookie}, true},
		{"the page by another name of this machine", "localhost:8017",
			map[string]string{"Cookie": cookie, "Origin": "http://localhost:8017", "Sec-Fetch-Site": "same-origin"}, true},
		{"another page", "127.0.0.1:8017", map[string]string{"Cookie": cookie, "Origin": "http://evil.example"}, false},
		{"another port's page", "127.0.0.1:8017", map[string]string{"Cookie": cookie, "Origin": "http://127.0.0.1:80"}, false},
		{"a page from nowhere", "127.0.0.1:8017", map[string]string{"Cookie": cookie, "Origin": "null"}, false},
		{"across sites", "127.0.0.1:8017", map[string]string{"Cookie": cookie, "Sec-Fetch-Site": "cross-site"}, false},
		{"a foreign name", "evil.example:8017", map[string]string{"Cookie": cookie, "Origin": "http://evil.example:8017"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := httptest.NewRequest("POST", "/sandbox/api/press", nil)
			r.Host = test.host
			for k, v := range test.header {
				r.Header.Set(k, v)
			}
			if got := g.lets(r); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestGuardProtects(t *testing.T) {
	g := newGuard("127.0.0.1:8017", "OPENSESAME")
	inside := g.protect(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	for host, want := range map[string]int{"127.0.0.1:8017": 204, "localhost:8017": 204, "evil.example:8017": 403, "127.0.0.1:80": 403} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = host
		w := httptest.NewRecorder()
		inside.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%s: got %d, want %d", host, w.Code, want)
		}
		csp := w.Header().Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'self';", "require-trusted-types-for 'script'", "frame-ancestors 'self'"} {
			if !strings.Contains(csp, part) {
				t.Errorf("policy %q lacks %s", csp, part)
			}
		}
		if strings.Contains(csp, "unsafe") || strings.Contains(csp, "data:") {
			t.Errorf("policy %q", csp)
		}
	}
}

func TestGuardChangesTheKeyForACookie(t *testing.T) {
	g := newGuard("127.0.0.1:8017", "OPENSESAME")
	r := httptest.NewRequest("GET", "http://127.0.0.1:8017/?key=OPENSESAME&as=7", nil)
	w := httptest.NewRecorder()
	g.protect(http.NotFoundHandler()).ServeHTTP(w, r)
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/?as=7" {
		t.Errorf("got %d to %q, want a redirect that has lost the key", w.Code, w.Header().Get("Location"))
	}
	cookies := w.Result().Cookies()
	if len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteStrictMode {
		t.Fatalf("got %v, want one strict cookie that no script reads", cookies)
	}
	back := httptest.NewRequest("GET", "/", nil)
	back.AddCookie(cookies[0])
	if !g.knows(back) {
		t.Error("the cookie is not the key")
	}
	w = httptest.NewRecorder()
	g.protect(http.NotFoundHandler()).ServeHTTP(w, httptest.NewRequest("GET", "http://127.0.0.1:8017/?key=x", nil))
	if w.Code != http.StatusForbidden || len(w.Result().Cookies()) != 0 {
		t.Errorf("a wrong key: %d", w.Code)
	}
}
