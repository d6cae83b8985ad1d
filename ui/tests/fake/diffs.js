// Diffs as git prints them, for the stories. Hunks are written without care for their counts: `counted`
// sets them right.

function counted(text) {
  const lines = text.split('\n');
  lines.forEach((line, at) => {
    const head = /^@@ -(\d+),\d+ \+(\d+),\d+ @@(.*)$/.exec(line);
    if (!head) return;
    let [before, after] = [0, 0];
    for (const one of lines.slice(at + 1)) {
      if (!/^[ +-]/.test(one) || /^(---|\+\+\+) /.test(one)) break;
      if (one[0] !== '+') before += 1;
      if (one[0] !== '-') after += 1;
    }
    lines[at] = `@@ -${head[1]},${before} +${head[2]},${after} @@${head[3]}`;
  });
  return lines.join('\n');
}

export const AUTH_PATCH = counted(`--- a/src/login.rs
+++ b/src/login.rs
@@ -36,12 +36,17 @@ impl Session {
     /// Whether \`token\` lets its bearer in.
     ///
     /// A token is good until it expires.
-    pub fn check(&self, token: &Token) -> bool {
-        token.expires_at > token.issued_at
+    pub fn check(&self, token: &Token, now: Timestamp) -> bool {
+        self.id == token.session && now < token.expires_at
     }
 
     pub fn refresh(&mut self, token: &Token) -> Option<Token> {
-        self.check(token).then(|| self.issue())
+        let now = self.clock.now();
+        if !self.check(token, now) {
+            return None;
+        }
+        Some(self.issue(now))
     }
 }
`);

export const AUTH_DIFF = counted(`diff --git a/docs/authentication.md b/docs/authentication.md
index 1111111..2222222 100644
--- a/docs/authentication.md
+++ b/docs/authentication.md
@@ -12,8 +12,9 @@ A session begins with a sign-in and ends after thirty days.
 
 ## Tokens
 
-Tokens are valid for one hour after they were issued.
-They can be refreshed.
+Tokens are valid for one hour after they were issued. A token that has
+expired is refused, also by a refresh.
+They can be refreshed until then.
 
 ## Cookies
 
diff --git a/src/login.rs b/src/login.rs
index 3333333..4444444 100644
${AUTH_PATCH}diff --git a/src/session.rs b/src/session.rs
index 5555555..6666666 100644
--- a/src/session.rs
+++ b/src/session.rs
@@ -1,6 +1,9 @@
 //! Sessions: who is signed in, and until when.
 
 mod token;
+mod clock;
 
-pub use token::Token;
+pub use clock::{Clock, SystemClock};
+pub use token::{Token, TokenError};
diff --git a/src/session/token.rs b/src/session/token.rs
index 7777777..8888888 100644
--- a/src/session/token.rs
+++ b/src/session/token.rs
@@ -14,9 +14,24 @@ pub struct Token {
     pub expires_at: Timestamp,
 }
 
+/// Why a token is refused.
+#[derive(Debug, PartialEq, Eq, thiserror::Error)]
+pub enum TokenError {
+    /// Its time is over.
+    #[error("the token expired at {at}: sign in again")]
+    Expired {
+        /// When it expired.
+        at: Timestamp,
+    },
+    /// It belongs to another session.
+    #[error("the token belongs to another session")]
+    Foreign,
+}
+
 impl Token {
     /// How long a token is good for.
-    pub const LIFE: Duration = Duration::from_secs(3600);
+    pub const LIFE: Duration = Duration::from_secs(60 * 60);
 
     pub fn new(session: SessionId, now: Timestamp) -> Self {
         Self { session, issued_at: now, expires_at: now + Self::LIFE }
diff --git a/tests/login.rs b/tests/login.rs
new file mode 100644
index 0000000..9999999
--- /dev/null
+++ b/tests/login.rs
@@ -0,0 +1,10 @@
+//! Signing in, from outside.
+
+#[test]
+fn an_expired_token_is_refused() {
+    let clock = FixedClock::at(NOON);
+    let mut session = Session::begin(&clock);
+    let token = session.issue(NOON);
+    clock.set(NOON + Token::LIFE);
+    assert!(!session.check(&token, clock.now()));
+}
diff --git a/assets/logo.png b/assets/logo.png
index aaaaaaa..bbbbbbb 100644
Binary files a/assets/logo.png and b/assets/logo.png differ
`);

export const CACHE_DIFF = counted(`diff --git a/src/render.ts b/src/render.ts
index 1111111..2222222 100644
--- a/src/render.ts
+++ b/src/render.ts
@@ -1,9 +1,16 @@
 // Renders pages.
 import { template } from './template';
+import { pages } from './cache';
 
-export function render(path: string): string {
-  return template(path);
+export function render(path: string, now: number): string {
+  const known = pages.get(path, now);
+  if (known !== undefined) {
+    return known;
+  }
+  const page = template(path);
+  pages.put(path, page, now);
+  return page;
 }
`);
