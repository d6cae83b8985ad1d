// The tasks of the pictures: real ones, of a real server. The scripted agent does what their prompts say, in real
// repositories with real tests, so that every line of a picture has happened.

export const REPOSITORIES = {
  'api-server': {
    '.gitignore': '__pycache__/\n',
    'README.md': '# API server\n\nSessions, tokens and everything behind `/v1`.\n',
    'app/__init__.py': '',
    'app/session.py': `"""Sessions: who is signed in, and for how long."""

from dataclasses import dataclass


@dataclass
class Token:
    session: str
    expires_at: float


class Session:
    def __init__(self, id, clock):
        self.id = id
        self.clock = clock

    def check(self, token):
        """Whether the token opens this session."""
        return self.id == token.session
`,
    'tests/__init__.py': '',
    'tests/test_session.py': `import unittest

from app.session import Session, Token


class Check(unittest.TestCase):
    def test_a_token_of_another_session_is_refused(self):
        self.assertFalse(Session("a", lambda: 0).check(Token("b", 10)))

    def test_an_expired_token_is_refused(self):
        self.assertFalse(Session("a", lambda: 11).check(Token("a", 10)))
`,
    'docs/authentication.md': '# Authentication\n\nA token opens one session.\n',
  },
  'web-shop': {
    '.gitignore': '__pycache__/\n',
    'README.md': '# Web shop\n',
    'pages.py': 'def render(page):\n    return f"<h1>{page}</h1>"\n',
    'importer.py': 'def rows(lines):\n    return [line.split(",") for line in lines]\n',
    'requirements.txt': 'cryptography==41.0.0\nfeed==2.1\n',
  },
};

/** In the order in which they are begun; \`until\` is the state in which a picture finds them. */
export const TASKS = {
  cache: {
    title: 'Cache rendered pages for a minute',
    repository: 'web-shop',
    until: 'waiting',
    prompt: `Cache rendered pages for a minute
say I look at how pages are rendered.
read pages.py
edit pages.py def render(page): => from functools import lru_cache\\n\\n\\n@lru_cache(maxsize=512)\\ndef render(page):
bash python3 -c "import pages; print(pages.render('home'), pages.render.cache_info())"
commit pages: Remember what was rendered
say Pages are rendered once and remembered, **512 of them**. The cache is dropped when the process ends.\\n\\n| page | before | after |\\n|---|---|---|\\n| home | 41 ms | 0.2 ms |\\n| article | 63 ms | 0.2 ms |`,
  },
  importer: {
    title: 'Make the importer twice as fast',
    repository: 'web-shop',
    until: 'crashed',
    prompt: `Make the importer twice as fast
say I measure first.
bash python3 -c "import importer; print(len(importer.rows(['a,b']*200000)))"
think Splitting is fast already; reading whole files is not.
crash 137`,
  },
  plan: {
    title: 'Move sessions out of process memory',
    repository: 'api-server',
    until: 'has_plan',
    prompt: `Move sessions out of process memory
say I read what holds sessions today.
read app/session.py
read docs/authentication.md
plan ## Sessions in a store of their own\\n\\n1. A \`SessionStore\` with \`get\`, \`put\` and \`drop\`; the dictionary of today is its first implementation.\\n2. A second one on SQLite, chosen by \`SESSION_STORE\`.\\n3. Sessions that are over are dropped by their own clock, not by a sweep.\\n\\nNo change for clients. **Two commits**, tests first.`,
  },
  tls: {
    title: 'Upgrade the TLS library and drop the patched fork',
    repository: 'web-shop',
    until: 'asking',
    permission: 'ask',
    prompt: `Upgrade the TLS library and drop the patched fork
say The fork is pinned to a version with two known advisories.
read requirements.txt
edit requirements.txt cryptography==41.0.0 => cryptography==46.0.3
approve pip install --dry-run -r requirements.txt`,
  },
  auth: {
    title: 'Fix the authentication bug',
    repository: 'api-server',
    until: 'asking',
    prompt: `Fix the authentication bug: expired tokens are accepted. The test that shows it is there already.
say I look at sessions and their test first.
think Two places could be wrong: where the token is made, or where it is checked. The test says checked.
todo See the test fail|Refuse what has expired|Write down how long a token lasts
read app/session.py
read tests/test_session.py
bash python3 -m unittest -q 2>&1 | tail -12; exit 1
edit app/session.py return self.id == token.session => return self.id == token.session and self.clock() < token.expires_at
bash python3 -m unittest -v 2>&1
write docs/authentication.md # Authentication\\n\\nA token opens one session, until it expires: fifteen minutes after it was made.\\nThe clock is the server's.
commit session: Refuse what has expired
write NOTES.md Ask about the refresh token.
say Expired tokens are refused now, and both tests pass. The fix is one line in \`app/session.py\`; the length of a token's life stands in \`docs/authentication.md:3\`.\\n\\nOne thing is yours to decide.
ask Which kind of token should the next version hand out?|Opaque|JWT|Both, by client`,
  },
  port: {
    title: 'Port the command line to the new API',
    repository: 'api-server',
    until: 'running',
    prompt: `Port the command line to the new API
say Twelve verbs call the old endpoints. I port them one by one, with the old tests as they are.
todo List the calls|Port the verbs that read|Port the verbs that write|Remove the old client
bash grep -rn "session" app | head -5
write app/client.py """Calls of the new API."""\\n\\n\\ndef sessions(get):\\n    """All sessions, newest first."""\\n    return get("/v1/sessions")["items"]
commit client: List sessions by the new API
say The reading verbs are next.
bash for n in 1 2 3 4 5 6 7 8 9; do echo "ported verb $n of 12"; sleep 20; done`,
  },
};

/** One prompt on two agents; `astray` is what the second is told afterwards. */
export const CONTEST = {
  title: 'Escape what pages render',
  repository: 'web-shop',
  prompt: `Escape what pages render
say The title of a page goes into HTML as it is.
read pages.py
edit pages.py def render(page): => from html import escape\\n\\n\\ndef render(page):
edit pages.py <h1>{page}</h1> => <h1>{escape(page)}</h1>
commit pages: Escape titles
say Titles are escaped.`,
  astray: `Keep markup in titles, please
edit pages.py {escape(page)} => {page}
commit pages: Let titles have markup
say Markup in titles works again.`,
  check: `python3 -c "import pages; assert '<b>' not in pages.render('<b>'), pages.render('<b>')"`,
};

/** What is kept in the settings. */
export const AROUND = [
  ['/accounts', { harness: 'claude', name: 'work', values: { ANTHROPIC_API_KEY: 'not-a-real-key' } }],
  ['/accounts', { harness: 'claude', name: 'own', values: { CLAUDE_CODE_OAUTH_TOKEN: 'not-a-real-token' } }],
  ['/accounts', { harness: 'codex', name: 'team', values: { OPENAI_API_KEY: 'not-a-real-key' } }],
  ['/rules', { verdict: 'allow', reach: { scope: 'everywhere' }, subject: { on: 'command', command: 'cargo test *' } }],
  ['/rules', { verdict: 'deny', reach: { scope: 'everywhere' }, subject: { on: 'edit', paths: 'migrations/**' } }],
];
