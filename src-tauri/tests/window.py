"""The desktop program in a real window: what a user sees and clicks, from outside.

This process is the tray (StatusNotifierWatcher) and the notification server of a bus of its own, the
WebDriver client of the window, and a client of the API. Run by window.sh.
"""

import contextlib
import itertools
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import threading
import time
import traceback
import urllib.error
import urllib.request

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

BUILT, SHOTS = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
HOME, DIST, OPENED = (pathlib.Path(os.environ[name]) for name in ("HOME", "DIST", "OPENED"))
PROGRAM = str(BUILT / "paddock-desktop")
HERE = pathlib.Path(__file__).resolve().parent
# How long whatever is waited for may take, in seconds.
PATIENCE = 120
# How long one look at a page that comes just then may take.
LOOK = 10
# How long the driver may take to have a window that stands.
SESSION = 60
# Lines of a program's log that a failure shows.
TAIL = 40

DBusGMainLoop(set_as_default=True)
BUS = dbus.SessionBus()


def until(what, seen, patience=PATIENCE):
    """Waits for `seen` to give something, answering the bus meanwhile. What cannot be asked yet is asked again."""
    end = time.monotonic() + patience
    while True:
        while GLib.MainContext.default().iteration(False):
            pass
        try:
            found, last = seen(), None
        except Exception as error:
            found, last = None, error
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"did not come within {patience} s: {what}" + (f" ({last!r})" if last else ""))
        time.sleep(0.02)


def step(text):
    print(f"  {text}", flush=True)


class Watcher(dbus.service.Object):
    """The tray."""

    NAME = "org.kde.StatusNotifierWatcher"

    def __init__(self):
        self.item = None
        self.name = dbus.service.BusName(self.NAME, BUS)
        super().__init__(BUS, "/StatusNotifierWatcher")

    @dbus.service.method(NAME, in_signature="s", sender_keyword="sender")
    def RegisterStatusNotifierItem(self, service, sender=None):
        self.item = (sender, service) if service.startswith("/") else (service, "/StatusNotifierItem")

    def forget(self):
        """The program is gone, with what it still had to say."""
        while GLib.MainContext.default().iteration(False):
            pass
        self.item = None

    @dbus.service.method(NAME, in_signature="s")
    def RegisterStatusNotifierHost(self, service):
        pass

    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return self.GetAll(interface)[name]

    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return {
            "IsStatusNotifierHostRegistered": dbus.Boolean(True),
            "ProtocolVersion": dbus.Int32(0),
            "RegisteredStatusNotifierItems": dbus.Array([], signature="s"),
        }

    def properties(self):
        item = BUS.get_object(*self.item)
        return dbus.Interface(item, "org.freedesktop.DBus.Properties").GetAll("org.kde.StatusNotifierItem")

    def menu(self):
        """Labels and ids of the menu."""
        menu = dbus.Interface(BUS.get_object(self.item[0], self.properties()["Menu"]), "com.canonical.dbusmenu")
        menu.AboutToShow(0)
        _, layout = menu.GetLayout(0, -1, dbus.Array([], signature="s"))
        return menu, {str(entry[1].get("label", "-")): int(entry[0]) for entry in layout[2]}

    def labels(self):
        return [label for label in self.menu()[1] if label != "-"]

    def click(self, label):
        """Chooses an entry; one of a menu that has just been replaced is refused, and looked for anew."""

        def chosen():
            menu, ids = self.menu()
            menu.Event(ids[label], "clicked", dbus.String("", variant_level=1), dbus.UInt32(0))
            return True

        until(f"the tray's entry {label}", chosen)


class Notifications(dbus.service.Object):
    """The notification server."""

    NAME = "org.freedesktop.Notifications"

    def __init__(self):
        self.shown = []
        self.name = dbus.service.BusName(self.NAME, BUS)
        super().__init__(BUS, "/org/freedesktop/Notifications")

    @dbus.service.method(NAME, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, app, replaces, icon, summary, body, actions, hints, timeout):
        self.shown.append((str(summary), str(body), [str(action) for action in actions]))
        return len(self.shown)

    @dbus.service.method(NAME, out_signature="as")
    def GetCapabilities(self):
        return ["actions", "body", "body-markup"]

    @dbus.service.method(NAME, out_signature="ssss")
    def GetServerInformation(self):
        return ("stand-in", "paddock", "1", "1.2")

    @dbus.service.method(NAME, in_signature="u")
    def CloseNotification(self, number):
        pass

    @dbus.service.signal(NAME, signature="us")
    def ActionInvoked(self, number, action):
        pass


class Driver:
    """The window by WebDriver."""

    there = None

    def __init__(self, environment, arguments):
        self.environment = {**environment, "TAURI_AUTOMATION": "true", "TAURI_WEBVIEW_AUTOMATION": "true"}
        options = {"binary": PROGRAM, "args": arguments}
        self.wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        session = self.start()
        if not session:
            # The window stands, so the program did its part: what the driver and the toolkit owe is asked for anew.
            step("(the driver did not come to a window that stands: another driver)")
            self.end()
            session = self.start()
        assert session, "no driver came to the window, which stands"
        self.session = "/session/" + session["sessionId"]
        Driver.there = self

    def start(self):
        """A session with the program that a new driver starts; none where the window stands and the driver has not
        come to it. The stand-ins answer meanwhile: a program that starts asks them too."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.session = None
        self.process = subprocess.Popen(
            ["WebKitWebDriver", f"--port={self.port}", "--host=127.0.0.1"], env=self.environment, stderr=said("desktop")
        )
        until("the driver", lambda: self.ask("GET", "/status", quiet=True))
        answers, program = [], None

        def ask():
            try:
                answers.append(self.ask("POST", "/session", self.wanted))
            except Exception as error:
                answers.append(error)

        threading.Thread(target=ask, daemon=True).start()

        def over():
            # The driver never answers where the program ends before it could be reached.
            nonlocal program
            program, before = self.program(), program
            return answers or (before and not program)

        why = AssertionError("the program ended when it was to begin")
        try:
            until("a session", over, SESSION)
        except AssertionError:
            if titled("Paddock"):
                self.tell(program)
                return None
            why = AssertionError(f"the program shows no window within {SESSION} s")
        (answer,) = answers or [why]
        if isinstance(answer, Exception):
            self.tell(program)
            self.process.terminate()
            raise answer
        return answer

    def program(self):
        """The process that the driver has started; none while there is none, or where it has ended."""
        threads = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return "".join(children.read_text() for children in threads).strip()

    def tell(self, program):
        """What a program does that the driver does not come to."""
        print(f"--- the driver ended with {self.process.poll()}; the program is {program or 'not there'}", flush=True)
        for thread in pathlib.Path(f"/proc/{program or 0}/task").glob("*"):
            try:
                print(f"    {(thread / 'comm').read_text().strip()}: {(thread / 'wchan').read_text()}", flush=True)
            except OSError:
                pass  # it has ended meanwhile

    def ask(self, method, path, body=None, quiet=False, patience=PATIENCE):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=patience) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            if quiet:
                return None
            raise AssertionError(error.read().decode()) from error
        except OSError:
            if quiet:
                return None
            raise

    def path(self):
        return "/" + self.ask("GET", f"{self.session}/url").split("/", 3)[3]

    def run(self, script, patience=PATIENCE):
        return self.ask("POST", f"{self.session}/execute/sync", {"script": script, "args": []}, patience=patience)

    def shows(self):
        """Waits for the page. It comes by another that pairs the window: a look in between may never be answered."""
        look = "return document.querySelector('#root')?.childElementCount > 0"
        until("the page", lambda: self.run(look, patience=LOOK))

    def invoke(self, command, **words):
        """What becomes of a command that the page gives the shell."""
        return self.run(
            f"return __TAURI__.core.invoke({json.dumps(command)}, {json.dumps(words)})"
            ".then(() => 'done', (refusal) => `refused: ${refusal}`)"
        )

    def go(self, path):
        """Goes to a page of ours as its links do."""
        self.run(f"history.pushState(null, '', {json.dumps(path)}); dispatchEvent(new PopStateEvent('popstate'))")

    def click(self, xpath):
        """Clicks with the mouse what stands there; looked for anew where the page has just replaced it."""

        def clicked():
            found = self.ask("POST", f"{self.session}/element", {"using": "xpath", "value": xpath}, quiet=True)
            if found:
                (element,) = found.values()
                self.ask("POST", f"{self.session}/element/{element}/click", {})
            return found

        until(f"a click on {xpath}", clicked)

    def end(self):
        Driver.there = None
        if self.session:
            self.ask("DELETE", self.session, quiet=True)
        self.process.terminate()
        self.process.wait(PATIENCE)
        # What the driver has left is ended as the system ends programs. While it has its name a second start is none.
        asked = dbus.Interface(BUS.get_object("org.freedesktop.DBus", "/org/freedesktop/DBus"), "org.freedesktop.DBus")
        names = lambda: [name for name in BUS.list_names() if "SingleInstance" in str(name)]
        for name in names():
            try:
                os.kill(int(asked.GetConnectionUnixProcessID(name)), signal.SIGTERM)
            except (dbus.DBusException, ProcessLookupError):
                pass
        until("the end of the program", lambda: not names())


class Api:
    """The server that serves the data directory."""

    def __init__(self, data):
        record = data / "serve.json"
        self.url = until("the server", lambda: record.exists() and json.loads(record.read_text())["url"])
        self.token = (data / "token").read_text().strip()

    def ask(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/api/paddock/v1{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            text = answer.read()
            return json.loads(text) if text else None

    def task(self, prompt, title):
        spec = {"prompt": prompt, "title": title, "harness": "scripted", "box": {"kind": "worktree"}}
        return self.ask("POST", "/tasks", spec)["task_id"]

    def install(self):
        assert self.ask("POST", "/harnesses/scripted/install", {})["harness"] == "scripted"

    def state(self, task):
        return self.ask("GET", f"/tasks/{task}")["state"]


def place():
    """Where the window's content is, and how large: left, top, width, height."""
    asked = ["xdotool", "search", "--onlyvisible", "--name", "Paddock$", "getwindowgeometry", "--shell"]
    told = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    words = dict(line.split("=", 1) for line in told.splitlines() if "=" in line)
    return tuple(int(words[name]) for name in ("X", "Y", "WIDTH", "HEIGHT"))


def put(left, top, width, height):
    """Gives the window a place and a size as a user does it; where it is then."""
    before = place()
    subprocess.run(["wmctrl", "-r", "Paddock", "-e", f"0,{left},{top},{width},{height}"], check=True)
    until("another place", lambda: place() != before and place()[2:] == (width, height))
    return place()


def titled(text):
    """Whether a window has this title, or begins with it after a number in parentheses."""
    listed = subprocess.run(["wmctrl", "-l"], capture_output=True, text=True, check=False).stdout
    titles = [line.split(None, 3)[3] for line in listed.splitlines() if len(line.split(None, 3)) > 3]
    return any(title == text or title.endswith(f") {text}") for title in titles)


def active():
    """The title of the window that has the focus."""
    asked = ["xdotool", "getactivewindow", "getwindowname"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()


def escape(title):
    """Leaves a dialog by the keyboard."""
    until(f"the focus of {title}", lambda: active() == title)
    subprocess.run(["xdotool", "key", "Escape"], check=True)
    until(f"the end of {title}", lambda: not titled(title))


def shoot(name):
    subprocess.run(["import", "-window", "root", str(SHOTS / f"{name}.png")], check=False)


def said(name):
    """Where a program says what it does; a failure shows the last of it."""
    return open(SHOTS / f"{name}.log", "ab")


def opened():
    """What was opened outside of the window, by which program."""
    return OPENED.read_text().splitlines() if OPENED.exists() else []


def environment():
    return {
        **os.environ,
        "PADDOCK_RELAY": str(BUILT / "paddock-relay"),
        "PADDOCK_SCRIPTED_AGENT": str(BUILT / "scripted"),
    }


def arguments(data):
    return ["--data", str(data), "--set", "listen=127.0.0.1:0", "--ui", str(DIST)]


def start(data, *more):
    return subprocess.Popen([PROGRAM, *arguments(data), *more], env=environment(), stderr=said("desktop"))


def again(link):
    """A second start, as the system does it for a link."""
    return subprocess.run([PROGRAM, link], env=environment(), capture_output=True, timeout=PATIENCE).returncode


def in_the_window(tray, notifications):
    """Tray, notifications, links and the page, by WebDriver."""
    data = HOME / "first"
    driver = Driver(environment(), arguments(data))
    api = Api(data)
    driver.shows()
    assert driver.path() == "/", driver.path()
    step("the window shows the server's page, paired by a code that is spent")
    for command in ("plugin:autostart|enable", "plugin:window|close", "plugin:event|emit", "anything"):
        answer = driver.invoke(command)
        assert answer.startswith("refused"), (command, answer)
    step("the page is offered no command of the window system")
    until("the tray", lambda: tray.item)
    until("an empty tray", lambda: "Nothing needs you" in tray.labels())
    api.install()
    shoot("window")
    task = api.task("ask Which colour?|red|blue", "Paint <b>it</b>")
    until("a notification", lambda: notifications.shown)
    assert notifications.shown == [("Question: Paint ‹b›it‹/b›", "Which colour?", ["default", ""])], notifications.shown
    until("the tray's entry", lambda: "Question: Paint ‹b›it‹/b›" in tray.labels())
    until("the tray's number", lambda: tray.properties().get("XAyatanaLabel") == "1")
    step("a question is told once and stands in the tray")

    def clicked():
        # The program hears clicks a moment after it has shown what is clicked on.
        notifications.ActionInvoked(1, "default")
        return driver.path() == f"/tasks/{task}"

    until("the task's page", clicked)
    until("the question", lambda: "Which colour?" in driver.run("return document.body.innerText"))
    shoot("task")
    step("a click on the notification opens the task")
    driver.go("/")
    assert again(f"paddock://task/{task}") == 0
    until("the task's page", lambda: driver.path() == f"/tasks/{task}")
    step("a second start hands its link to the first and ends")
    through_the_system(driver, task)
    assert again("paddock://task/../settings") == 2
    assert again("paddock://task/x?code=1") == 2
    assert driver.path() == f"/tasks/{task}"
    step("a hostile link leads nowhere")
    driver.run("location.href = 'http://elsewhere.invalid/evil'")
    until("a browser at the link", lambda: "xdg-open http://elsewhere.invalid/evil" in opened())
    assert driver.path() == f"/tasks/{task}"
    step("the page cannot leave the server: what leads elsewhere is the browser's")
    boxes(api, driver, task)
    pastes(driver, task)
    drops(driver, task)
    exports(driver, task)
    languages(api, driver, tray, notifications)
    driver.end()
    tray.forget()


def through_the_system(driver, task):
    """A link that another program opens, by the handler that the package's entry names."""
    entries = HOME / ".local/share/applications"
    entries.mkdir(parents=True)
    entry = f"[Desktop Entry]\nType=Application\nName=Paddock\nExec={PROGRAM} %u\nMimeType=x-scheme-handler/paddock;\n"
    (entries / "paddock.desktop").write_text(entry)
    subprocess.run(["gio", "mime", "x-scheme-handler/paddock", "paddock.desktop"], env=environment(), check=True, stdout=said("gio"))
    for path in ("/", "/settings"):
        driver.go(path)
        until(path, lambda: driver.path() == path)
        subprocess.run(["gio", "open", f"paddock://task/{task}"], env=environment(), check=True, timeout=PATIENCE)
        until("the task's page", lambda: driver.path() == f"/tasks/{task}")
    step("a link that the system opens leads the window to its task")


def boxes(api, driver, task):
    """What the page cannot do by itself: show a task's work tree, where the server says it lies."""
    folder = api.ask("GET", f"/tasks/{task}/terminals")["folder"]
    assert pathlib.Path(folder).is_dir()
    driver.go(f"/tasks/{task}/terminal")
    for button, program in (("Open folder", "xdg-open"), ("Open in editor", "code")):
        driver.click(f"//button[normalize-space()='{button}']")
        until(f"the {program} of {button}", lambda: opened()[-1:] == [f"{program} {folder}"])
    shoot("terminal")
    step("the buttons for a task's folder open it in the file browser and in the editor")
    before = opened()
    for words in ({"task": "../../..", "how": "folder"}, {"task": "no-such-task", "how": "folder"}, {"task": task, "how": "sh"}):
        answer = driver.invoke("open_box", **words)
        assert answer.startswith("refused"), (words, answer)
    assert opened() == before
    step("the page has a task's folder opened, and nothing else")


@contextlib.contextmanager
def folder(file, *offered):
    """Another program's window, which has a file to give."""
    program = subprocess.Popen(["/usr/bin/python3", str(HERE / "folder.py"), str(file), *offered], stderr=said("folder"))
    try:
        until("the folder", lambda: titled("Folder"))
        yield
    finally:
        program.terminate()
        program.wait(PATIENCE)


def goes_along(driver, name):
    """A picture comes into the reply, and is left out again."""
    shown = f"document.querySelector(`form.reply img[alt='{name}']`)"
    until(f"{name} in the reply", lambda: driver.run(f"return {shown}?.naturalWidth > 0"))
    shoot(name.removesuffix(".png"))
    driver.click(f"//form//button[@aria-label='Leave out {name}']")
    until("a reply without it", lambda: driver.run(f"return {shown} === null"))


def pastes(driver, task):
    """What another program puts on the clipboard, a file or a picture, is pasted into the reply."""
    drawn = HOME / "drawn.png"
    shutil.copy(SHOTS / "window.png", drawn)
    driver.go(f"/tasks/{task}")
    words = "document.querySelector('form.reply textarea')"
    until("the reply", lambda: driver.run(f"return {words} !== null"))
    for offered, name in (("copied", "drawn.png"), ("shot", "pasted.png")):
        with folder(drawn, offered):
            subprocess.run(["wmctrl", "-R", "Paddock"], check=True)
            focused = f"{words}.focus(); return document.hasFocus() && document.activeElement === {words}"
            until("the focus of the reply", lambda: driver.run(focused))
            subprocess.run(["xdotool", "key", "ctrl+v"], check=True)
            goes_along(driver, name)
        assert driver.run(f"return {words}.value") == ""
    nothing = "return __TAURI__.core.invoke('take_pasted').then((files) => files.length)"
    assert driver.run(nothing) == 0, "an empty clipboard holds something"
    step("a copied file and a picture are pasted into the reply")
    driver.run(
        f"""addEventListener('copy', (event) => {{
          event.preventDefault();
          event.clipboardData.setData('text/uri-list', {json.dumps(drawn.as_uri())});
          window.copied_ = true;
        }}, {{ once: true }});
        {words}.value = 'words';
        {words}.select();"""
    )
    subprocess.run(["xdotool", "key", "ctrl+c"], check=True)
    until("the copy", lambda: driver.run("return window.copied_"))
    assert driver.run(nothing) == 0, "a page may name what is pasted into it"
    driver.run(f"{words}.value = ''")
    step("no file is read because the page copies its address")


def drops(driver, task):
    """A file that is dragged from another program's window onto the reply goes along with it, and no other."""
    drawn = HOME / "drawn.png"
    driver.run(
        """addEventListener('dragover', ({ screenX, screenY, clientX, clientY, defaultPrevented, target }) => {
          const taken = defaultPrevented && target.closest('form.reply') !== null;
          window.over_ = [screenX - clientX, screenY - clientY, taken];
        })"""
    )
    left = "return __TAURI__.core.invoke('take_dropped').then((files) => files.length)"
    with folder(drawn):
        drag(driver, (60, 30))
        goes_along(driver, drawn.name)
    assert driver.run(left) == 0, "what was taken can be taken again"
    step("a file that is dropped on the window goes along with the reply")
    origin = driver.run("return window.over_")[:2]
    driver.run(
        f"""const bait = document.body.appendChild(document.createElement('div'));
        bait.draggable = true;
        bait.style = 'position: fixed; left: 300px; top: 200px; width: 100px; height: 100px; z-index: 9';
        bait.addEventListener('dragstart', (event) => event.dataTransfer.setData('text/uri-list', {json.dumps(drawn.as_uri())}));
        addEventListener('drop', (event) => {{
          event.stopImmediatePropagation();
          event.preventDefault();
          window.dropped_ = true;
        }}, true);
        window.over_ = undefined;"""
    )
    drag(driver, (int(origin[0]) + 350, int(origin[1]) + 250))
    until("the drop", lambda: driver.run("return window.dropped_"))
    assert driver.run(left) == 0, "a page may name what is dropped on it"
    step("no file is read because the page drags its address")


def drag(driver, grasped):
    """Drags what stands at a place of the screen onto the middle of the reply, once that takes it."""
    aim = driver.run(
        """const { left, top, width, height } = document.querySelector('form.reply').getBoundingClientRect();
        return [left + width / 2, top + height / 2]"""
    )
    subprocess.run(["xdotool", "mousemove", *map(str, grasped), "mousedown", "1"], check=True)
    steps = itertools.cycle((-9, 9))
    origin = place()[:2]

    def over():
        # A drag begins, and is told, when the pointer moves; what is said of a window counts its frame twice.
        nonlocal origin
        *at, taken = driver.run("return window.over_") or (*origin, False)
        x, y = (int(begin + by) for begin, by in zip(at, aim))
        subprocess.run(["xdotool", "mousemove", str(x + next(steps)), str(y)], check=True)
        known, origin = at == list(origin), at
        return known and taken

    until("a reply that takes what is dragged over it", over)
    subprocess.run(["xdotool", "mouseup", "1"], check=True)


def exports(driver, task):
    """A task as a file, where the system keeps what is downloaded; the second beside the first."""
    driver.go(f"/tasks/{task}")
    for beside in ("", " (1)"):
        driver.click("//button[@aria-label='More actions']")
        driver.click("//*[@role='menuitem'][starts-with(normalize-space(), 'Export')]")
        file = HOME / "Downloads" / f"paddock-{task}{beside}.tar"
        wanted = {f"{task}/{name}" for name in ("task.json", "journal.jsonl", "transcript.md")}
        until(f"all of {file}", lambda: wanted <= set(tarfile.open(file).getnames()))
    step("a task is exported to the folder for downloads")


def languages(api, driver, tray, notifications):
    """Tray and notifications speak as the page does, and keep to it."""
    driver.go("/settings")
    driver.click("//label[normalize-space()='Deutsch']")
    until("a German tray", lambda: {"Frage: Paint ‹b›it‹/b›", "Paddock öffnen", "Beenden"} <= set(tray.labels()))
    asked = api.task("ask Welche Farbe?|rot|blau", "Streiche es")
    until("a German notification", lambda: ("Frage: Streiche es", "Welche Farbe?", ["default", ""]) in notifications.shown)
    shoot("german")
    assert (HOME / ".config" / "dev.paddock.desktop" / "language").read_text() == "de"
    driver.click("//label[normalize-space()='English']")
    until("an English tray", lambda: "Question: Streiche es" in tray.labels())
    api.ask("POST", f"/tasks/{asked}/stop")
    step("tray and notifications speak the language of the page")


def life(tray):
    """Closing, reopening, starting at login, quitting."""
    data = HOME / "second"
    program = start(data)
    api = Api(data)
    until("the window", lambda: titled("Paddock"))
    until("the tray", lambda: tray.item)
    api.install()
    ready = HOME / ".config" / "autostart"
    tray.click("Start at login")
    entry = lambda: "".join(file.read_text() for file in ready.glob("*"))
    until("the entry to start at login", lambda: "--hidden" in entry())
    tray.click("Start at login")
    until("no entry to start at login", lambda: not entry())
    step("starting at login is turned on and off")
    chosen = put(140, 90, 930, 610)
    subprocess.run(["wmctrl", "-c", "Paddock"], check=True)
    until("no window", lambda: not titled("Paddock"))
    assert program.poll() is None and api.ask("GET", "/tasks")["items"] == []
    step("closing the window keeps the API")
    task = api.task("sleep 600", "Long work")
    until("an agent at work", lambda: api.state(task) == "running")
    tray.click("Open Paddock")
    until("the window again", lambda: titled("Paddock"))
    until(f"its place {chosen}", lambda: place() == chosen)
    step("a window that is opened again is where it was, as large as it was")
    tray.click("Quit")
    until("the question", lambda: titled("Quit Paddock?"))
    shoot("quit")
    escape("Quit Paddock?")
    # It is asked anew: the first answer has ended nothing.
    tray.click("Quit")
    until("the question anew", lambda: titled("Quit Paddock?"))
    escape("Quit Paddock?")
    assert program.poll() is None
    step("quitting asks while an agent works")
    program.send_signal(signal.SIGTERM)
    assert program.wait(PATIENCE) == 0
    tray.forget()
    return data, task, chosen


def taking_over(tray, data, task, chosen):
    """Another process serves the data: attach, and serve when it is gone."""
    serve = subprocess.Popen(
        [str(BUILT / "paddock"), "serve", "--data", str(data), "--listen", "127.0.0.1:0"],
        env=environment(), stdout=subprocess.PIPE, stderr=said("serve"), text=True,
    )
    url = json.loads(serve.stdout.readline())["url"]
    until("the agent that went on", lambda: Api(data).state(task) == "running")
    step("the agent went on without the program")
    program = start(data, "--hidden")
    until("the tray", lambda: tray.item)
    assert Api(data).url == url and not titled("Paddock")
    tray.click("Open Paddock")
    until("the window", lambda: titled("Paddock"))
    step("the program shows the page of the process that has the data")
    until(f"its place {chosen}", lambda: place() == chosen)
    step("place and size of the window are kept over a restart")
    serve.terminate()
    serve.wait(PATIENCE)
    own = until("a server of its own", lambda: (data / "serve.json").exists() and Api(data).url, 120)
    until("the same task", lambda: Api(data).state(task) == "running")
    step(f"it serves when the other is gone (was {url}, is {own})")
    Api(data).ask("POST", f"/tasks/{task}/stop")
    until("the end of the agent", lambda: Api(data).state(task) == "stopped")
    shoot("after")
    tray.click("Quit")
    assert until("the end", lambda: program.poll() is not None) and program.returncode == 0
    step("quitting does not ask while nothing works")


def explain():
    """What was on the screen, and what the programs said: all that is known of a failure where no picture is seen."""
    shoot("failure-around")
    print(f"--- a picture: {SHOTS / 'failure-around.png'}; the active window: {active()!r}")
    try:
        if Driver.there:
            print(f"--- the page: {Driver.there.path()}\n{Driver.there.run('return document.body.innerText')[:4000]}")
    except Exception as error:
        print(f"--- the page does not answer: {error!r}")
    for name in ("desktop", "serve"):
        log = SHOTS / f"{name}.log"
        if log.exists():
            print(f"--- the last of {log}:", *log.read_text(errors="replace").splitlines()[-TAIL:], sep="\n")


def main():
    tray, notifications = Watcher(), Notifications()
    print("in the window:", flush=True)
    in_the_window(tray, notifications)
    print("its life:", flush=True)
    data, task, chosen = life(tray)
    print("beside another server:", flush=True)
    taking_over(tray, data, task, chosen)
    print("all well", flush=True)


try:
    main()
except BaseException:
    why = traceback.format_exc()
    explain()
    # Last, for the end of what a run says is what is read.
    print(f"FAIL {why}", flush=True)
    if Driver.there:
        Driver.there.process.terminate()
    sys.exit(1)
