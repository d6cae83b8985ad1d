"""A window of a file browser, with the file that its words name: it can be dragged out. Ended by whoever started it."""

import pathlib
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk

window = Gtk.Window(title="Folder", decorated=False)
window.set_default_size(120, 60)
window.set_keep_above(True)
window.move(0, 0)
file = Gtk.EventBox()
file.add(Gtk.Label(label="a file"))
file.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, None, Gdk.DragAction.COPY)
file.drag_source_add_uri_targets()
file.connect("drag-data-get", lambda _, __, data, *___: data.set_uris([pathlib.Path(sys.argv[1]).as_uri()]))
window.add(file)
window.show_all()
Gtk.main()
