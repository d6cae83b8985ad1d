// What the server's refusals and failures mean, by their code. Its own words, which are English, tell the rest.
export const enErrors = {
  codes: {
    invalid: 'This makes no sense as it is.',
    unauthenticated: 'This browser is not signed in.',
    forbidden: 'This may not be asked from here.',
    not_found: 'It is not there (any more).',
    method_not_allowed: 'Paddock does not take this here.',
    not_now: 'That is not possible now.',
    would_lose: 'Work would be lost.',
    conflict: 'It is not as it was any more.',
    findings: 'The check before the push holds it back.',
    too_large: 'That is too large.',
    unsupported_media_type: 'Paddock cannot read this.',
    too_many_attempts: 'Too many tries: wait a moment.',
    failed: 'It was tried and did not work.',
    internal: 'Paddock made a mistake.',
    overloaded: 'Too much is waiting: try again in a moment.',
    shutting_down: 'Paddock is being ended; tasks go on.',
    disk_full: 'The disk has no room for it.',
  },
  unreachable: 'Paddock cannot be reached',
};
