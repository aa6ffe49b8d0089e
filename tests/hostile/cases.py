"""The cases of attack, by number: what is tried → what the site answers.

Tests are named after the numbers, ``test_hostile_07_…``; ``./run docs`` writes both into
docs/reference/attacks.md.
"""

import re

_CASES = """
1 another site opens a socket with a cookie → 403 before anybody looks at it; `ws.origin` in the log
2 the same host on another port or scheme → 403
3 a cookie without an Origin, or with `null` → 403; a program with a token needs none
4 a guest at a private table → 403; in the public lobby every action is `unauthenticated`
5 log out in one tab, act in another → all tabs are closed with 4401; a frame that races changes
  nothing
6 go on after another password or a ban → all other sockets and sessions end: 4401, within two
  seconds in every process ("Bans and other ends of log-ins")
7 plant a session before the log-in → another key after it; the planted one is a guest's
8 send forms from elsewhere → 403 without the token and with a foreign one; 405 for a GET of what is
  done
9 look for a private game → 404, the same page as for an invented one; no socket. Times: `./run
  hostile`
10 say in a frame who acts → `bad_field`; who acts is whose session it is
11 assign further fields by a form → ignored
12 raise by less than nothing → `bad_field`
13 numbers that are none, or too large → `bad_field`
14 a number of 5,000 digits → `bad_json`, the socket stays open (up to some dozens of digits
  `bad_field`)
15 NaN, Infinity, 1e400 → `bad_json`
16 a key twice → the last counts, and that one is checked: typed readers need no check (the list
  says `bad_json`)
17 brackets 4,000 deep → `bad_json`; an action deeper than its limit `bad_field`
18 no JSON, no object, nothing, binary → `bad_json` or `bad_envelope`; ten in ten seconds close with
  4429, and nothing more is read
19 8,193 bytes; a gigabyte, announced or in pieces; compression; pings without end → 1009 by both
  servers; compression is not agreed to; more than 500 pings, pongs and pieces in ten seconds end
  the connection
20 text that is not UTF-8 → 1007
21 half characters, NUL, invisible and turning characters → `bad_field`; format characters between
  others are taken out
22 an unknown type, a version → `bad_type`, `bad_envelope`
23 a type of the bus or of the server → `bad_type`
24 the same frame twice → acknowledged again as `repeated`; one effect
25 a used id with another body → `conflict`
26 spend the same points at once → as many succeed as there are points for, the rest
  `ledger/insufficient_points`
27 buy while a game starts → one legal order: bought before, or the shop is closed (`shop/closed`)
28 add more than one owns from 8 tabs → one is acknowledged, seven `ledger/insufficient_stock`
29 combine the last two rocks twice → one is acknowledged, one `action/not_in_stock`
30 attack oneself, who has folded or given up, an empty chair, a stranger → `action/bad_target`;
  `action/not_seated` who sits nowhere; `not_found` for no table
31 choose after the clock, before anybody has noticed → `stale`: the clock acts first
32 send a time → `bad_field`; only the server's clock counts
33 settle, reveal or go on by oneself → `bad_type`; as an action `bad_field`
34 an old frame after reconnecting → an old id is `repeated`, another body `conflict`; a new id is
  judged by what holds now
35 vote twice, for oneself, while dead, in a race → the last vote counts; `action/not_alive`; one
  lynching, later votes are `stale`; in Agoran Mafia one may vote for oneself, in Dynamite it is
  refused (`action/bad_target`)
36 use the action of a role that one has not → `action/no_night_action`, and `bad_field` for a kind
  that nobody has; the same bytes whether the role is in the game or not; `action/not_mafia` for a
  townie in Dynamite, whomever it names
37 read or join a room of others → rooms are the server's: `bad_field` at tables; in a town 404 and
  `action/room_closed`, like a room that does not exist
38 the dead talk to the living, players watch → `action/room_closed`, and nothing of the dead in
  what the living get; who is logged in on a device of one who plays may not watch: 404, as if there
  were no such match, and a line in the log; who was replaced says nothing to spectators, and no
  second account of theirs comes in
39 look for secrets in pages and logs → none: neither seed nor choices of others. Every byte of a
  site under faults: `tests/faults/test_secrecy.py`
40 learn from traffic → a secret act sends others nothing, and what one is sent oneself is as long
  under every role. Over 500 nights: `./run hostile` ("Traffic")
41 read pages from a cache after the log-out → `no-store, private` on every page of a user; a
  guest's own browser may keep one, and asks each time, for the front page after a minute
42 read over a shoulder: mail, push → games are told by neither; the bell has fixed texts
43 markup in what one writes → shown as text
44 what a page may load → `default-src 'self'`, no objects, no frames, scripts with a nonce of one
  answer; the admin has a policy of its own
45 a name that looks like another → 422, one answer for taken, reserved and alike
46 learn whose e-mail address it is by adding it → the same answer; the owner gets a mail. Signing
  up asks for no address
47 the same by log-in and reset; many hashes or mails by one address → one page, one hash, one mail
  for any input. Times: `./run hostile`
48 guess a password → the sixth in 15 minutes is 429 with `Retry-After`; elsewhere the owner gets in
49 a link that resets: again, invented, a day old → "This link is invalid"; the token is in no
  Referer
50 a foreign Host in a reset → 400
51 a forged `X-Forwarded-For` → not believed without `TRUST_PROXY`
52 own filters and orders → 400 for what is not on a page's list
53 `next=` to another site → only paths of this one
54 send files; paths that lead out → 404, 415; no form takes a file
55 points by the admin → only by the form with reason and password, above 1,000 with a second
  administrator, never the own one
56 look at a live match in the admin → masked; a look needs its permission and a reason, bars from
  playing there, and is told at the end
57 change or delete transfers and records → refused by the database; 403 in the admin
58 lose on purpose to one person → `limit` at 300 points a day and pair, and a flag
59 two accounts at one table → `forbidden` from one device, and a flag; one address only flags
60 farm the starting grant → one grant an account; those that flow into one are flagged, and on no
  board until an administrator has looked
61 sit everywhere, or never act → three live seats (`action/too_many_tables`), kept seats count when
  their owner is ready; three time-outs in a row close the tables for 30 minutes
62 go away with a forced bet → the clock folds; the stake stays in the pot
63 flood the chat → five of thirty in five seconds, the rest `rate_limited` with `retry_ms`; again,
  and one is `muted` for a minute
64 hoard sockets → a user's 17th closes the idlest with 4409; the 61st of an address is refused;
  each web process counts its own
65 an arena of thousands → a round is counted, not fought: five times the players are five times the
  work
66 a text or body without end → `too_big` by its length alone; 413 at 1 MB while it comes
67 write a line of the log → a message is one line, a traceback is indented; no payload and no
  cookie is logged
68 put a message into the broker → only JSON is read, only tasks are called, the worker goes on; the
  site's own Valkey has a socket of its owner's
69 make the site fail → 500 with the number of the incident, which the log has too; no other word of
  it
70 win towards 2⁵³ → `limit` at 10¹²
71 an operator who opens games until a seed suits → players' salts are mixed in; every commitment is
  in a public log with its result, before a game and after it (`/seeds/`, `/proof/`)
72 guess addresses → 128 random bits in a match's name; numbers are 404
73 flood the arena with joins, leaves, preferences and resets → one a second and five at once for a
  user, over all sockets of a process; more is `rate_limited`, and ten refusals in ten seconds close
  the socket with 4429. What it costs others: `./run hostile`
74 report people without end → `limit` at 20 posts and names a day
75 NUL, half a surrogate pair, overlong bytes, huge numbers, in every text → 404 for an address, 400
  for a query, form or cookie, a refused handshake, an error code for a call; `./run hostile` tries
  all texts everywhere, on both databases
76 take every practice table and keep it → the longest idle table ends, after a minute at least; an
  address has ten, and three once half are taken; games in a row leave memory as it was
77 guess the password or the code in a stolen session → 429 after five tries of a user in 15
  minutes; after ten the session ends; the owner gets a mail, also when the second step of a log-in
  is closed
78 look at pages without the cookie of the browser, or with invented ones, without end → a view
  gives the cookie and stores nothing; stored is what comes back, three of a session and day, and
  the newest 20 of a user, also for thirty at once; no GET of any page grows a table
79 make the site send mails to strangers → five confirmations a day and user, 20 to an address,
  three unconfirmed addresses, also for thirty at once; an unconfirmed address gets no notice
80 make an account a program's with a borrowed session → the password is asked for, and the owner
  gets a mail
81 export everything with a program's token → `not_by_token`; a log-in and its password
82 keep notes on matches of others → `action/not_seated`; players keep notes, also former
83 keep a push service silent, or dripping, or its name unresolved → all browsers are told at once,
  a user's have 2 s of a run; three time-outs in a row forget one; runs do not overlap
84 have notifications sent to this machine or its network → https to public hosts only, also through
  IPv4 inside IPv6; the browser is forgotten
85 keep the database busy and drown what others say → each frame is answered: `busy` with
  `retry_ms`; the chat so far comes a little later
86 keep the database busy while a session is saved → 503 with `Retry-After`, logged once; 400 only
  for a session that has ended
87 fill the log with a foreign Host, or with parameters → one WARNING line each; twenty at once and
  one a second, then only their number
88 send a request or handshake byte after byte, or nothing → 408, or closed, after 30 s from its
  first byte; silence ends after 30 s or 60 s
89 send a head without end, or a handshake with a body → 431 or 400 above 16 KiB; an odd handshake
  is answered or closed on both servers
90 read `/metrics` through a proxy on the site's machine that sets no header → 404 on a public site
  without `METRICS_TOKEN`
91 close the second step of somebody's log-in with the password alone → five tries in 15 minutes of
  a network or a known browser, then 429; 120 a day of all unknown ones; a browser that the owner
  has used before stays open
92 load pages, or send forms, a hundred at a time → requests take turns, a few at once, addresses
  one after the other; above 250 of an address 503; tables play on, and no clock gets time back
93 let accounts lose to one what the site gave them, at once, over weeks, by way of others →
  `action/pair_limit` at 130 points, and 1 more for each day of the account, ever, for the winner's
  other accounts too, also for games begun at once; and a flag
94 make accounts for their grant, or open a page a day for the stipend → half of the grant comes
  with games that are finished with five other people, a stipend after a finished game
95 store board settings or a password without end, so that a ban of that moment is undone → each
  form stores its own fields alone
96 use an app's code a second time; use a passkey at a subdomain or another port → a code is used
  once for as long as it is right; a passkey at the site's own origin alone
"""

CASES: dict[int, tuple[str, str]] = {
    int(number): tuple(" ".join(case.split()).split(" → "))
    for number, case in re.findall(r"(?m)^(\d+) (.+(?:\n  .+)*)", _CASES)
}
