//! The only room where things meet: command in, events out; one writer, a pure planner, one runner per task.
