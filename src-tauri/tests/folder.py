"""A window of a file browser, with the file that its words name: it can be dragged out, and with `copied` behind it its
address is on the clipboard, with `shot` itself as a picture. Ended by whoever started it."""

import pathlib
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("GdkPixbuf", "2.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GdkPixbuf, Gtk

named, *offered = sys.argv[1:]


def give(_, __, data, *___):
    data.set_uris([pathlib.Path(named).as_uri()])


window = Gtk.Window(title="Folder", decorated=False)
window.set_default_size(120, 60)
window.set_keep_above(True)
window.move(0, 0)
file = Gtk.EventBox()
file.add(Gtk.Label(label="a file"))
file.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, None, Gdk.DragAction.COPY)
file.drag_source_add_uri_targets()
file.connect("drag-data-get", give)
window.add(file)
window.realize()
if offered == ["copied"]:
    window.connect("selection-get", lambda _, data, *__: give(None, None, data))
    Gtk.selection_add_target(window, Gdk.SELECTION_CLIPBOARD, Gdk.Atom.intern("text/uri-list", False), 0)
    Gtk.selection_owner_set(window, Gdk.SELECTION_CLIPBOARD, Gdk.CURRENT_TIME)
if offered == ["shot"]:
    Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD).set_image(GdkPixbuf.Pixbuf.new_from_file(named))
window.show_all()
Gtk.main()
