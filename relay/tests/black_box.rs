//! Runs the built relay as it is and looks at it from outside, through the client and through raw
//! bytes. Nothing here knows how it works inside. Start at [`rig`].

#[cfg(test)]
mod black_box {
    mod abuse;
    mod carriers;
    mod commands;
    mod connections;
    mod diffs;
    mod inputs;
    mod logs;
    mod namespaces;
    mod restarts;
    mod rig;
    mod stalls;
    mod stops;
    mod terminals;
    mod tunnels;
    mod versions;
}
