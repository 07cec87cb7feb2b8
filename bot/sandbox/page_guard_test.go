package sandbox

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestGuard(t *testing.T) {
	const key = "OPENSESAME"
	g := newGuard("127.0.0.1:8017", key)
	inside := g.protect(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	cookie := g.cookie + "=" + key
	for _, test := range []struct {
		name, method, target, host string
		header                     map[string]string
		want                       int
	}{
		{"looking on", "GET", "/", "127.0.0.1:8017", nil, 204},
		{"by another name of this computer", "GET", "/", "localhost:8017", nil, 204},
		{"by a foreign name", "GET", "/", "evil.example:8017", nil, 403},
		{"by another port", "GET", "/", "127.0.0.1:80", nil, 403},
		{"acting without the key", "POST", "/page/press", "127.0.0.1:8017", nil, 403},
		{"acting with the wrong key", "POST", "/page/press", "127.0.0.1:8017", map[string]string{"Cookie": g.cookie + "=x"}, 403},
		{"acting with the key of another port", "POST", "/page/press", "127.0.0.1:8017", map[string]string{"Cookie": "sandbox_1=" + key}, 403},
		{"acting with the key in the address", "POST", "/page/press?key=" + key, "127.0.0.1:8017", nil, 403},
		{"acting", "POST", "/page/press", "127.0.0.1:8017", map[string]string{"Cookie": cookie}, 204},
		{"acting from this page", "POST", "/page/press", "localhost:8017",
			map[string]string{"Cookie": cookie, "Origin": "http://localhost:8017", "Sec-Fetch-Site": "same-origin"}, 204},
		{"acting from another page", "POST", "/page/press", "127.0.0.1:8017", map[string]string{"Cookie": cookie, "Origin": "http://evil.example"}, 403},
		{"acting from another port", "POST", "/page/press", "127.0.0.1:8017", map[string]string{"Cookie": cookie, "Origin": "http://127.0.0.1:80"}, 403},
		{"acting from nowhere", "POST", "/page/press", "127.0.0.1:8017", map[string]string{"Cookie": cookie, "Origin": "null"}, 403},
		{"acting across sites", "POST", "/page/press", "127.0.0.1:8017", map[string]string{"Cookie": cookie, "Sec-Fetch-Site": "cross-site"}, 403},
		{"acting by a foreign name", "POST", "/page/press", "evil.example:8017", map[string]string{"Cookie": cookie, "Origin": "http://evil.example:8017"}, 403},
		{"a wrong key in the address", "GET", "/?key=x", "127.0.0.1:8017", nil, 403},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := httptest.NewRequest(test.method, test.target, nil)
			r.Host = test.host
			for k, v := range test.header {
				r.Header.Set(k, v)
			}
			w := httptest.NewRecorder()
			inside.ServeHTTP(w, r)
			if w.Code != test.want {
				t.Errorf("got %d %s, want %d", w.Code, w.Body, test.want)
			}
			if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "script") {
				t.Errorf("policy %q", csp)
			}
		})
	}
}

func TestGuardChangesTheKeyForACookie(t *testing.T) {
	g := newGuard("127.0.0.1:8017", "OPENSESAME")
	address, err := url.Parse(g.address())
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("GET", address.String()+"&as=7", nil)
	w := httptest.NewRecorder()
	g.protect(http.NotFoundHandler()).ServeHTTP(w, r)
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/?as=7" {
		t.Errorf("got %d to %q, want a redirect that has lost the key", w.Code, w.Header().Get("Location"))
	}
	cookies := w.Result().Cookies()
	if len(cookies) != 1 || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteStrictMode {
		t.Fatalf("got %v, want one strict cookie that no script reads", cookies)
	}
	back := httptest.NewRequest("POST", "/page/press", nil)
	back.AddCookie(cookies[0])
	if !g.knows(back) {
		t.Error("the cookie is not the key")
	}
}

func TestGuardRefusesAHugeForm(t *testing.T) {
	g := newGuard("127.0.0.1:8017", "OPENSESAME")
	r := httptest.NewRequest("POST", "/page/send", strings.NewReader("a="+strings.Repeat("x", maxForm)))
	r.Host = "127.0.0.1:8017"
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	g.protect(http.NotFoundHandler()).ServeHTTP(w, r)
	if w.Code != http.StatusBadRequest {
		t.Errorf("got %d, want 400", w.Code)
	}
}
