// A board's posts of one room: pages of them, in order, without gaps. Pure except for `read`.

export const NOTHING = { posts: [], last: 0 };

/** The number of the oldest post that is there; one more than the last while none is. */
export function oldest(room) {
  return room.posts[0]?.no ?? room.last + 1;
}

export function newest(room) {
  return room.posts.at(-1)?.no ?? 0;
}

/** Whether there are posts before those that are there. */
export function hasOlder(room) {
  return room.posts.length > 0 && oldest(room) > 1;
}

/** The room with a page of posts; the same number comes only once. */
export function withPage(room, page) {
  const known = new Map(room.posts.map((post) => [post.no, post]));
  for (const post of page.posts) known.set(post.no, post);
  // Posts that were hidden after they were read leave the screen as well.
  const hidden = new Set(page.hidden ?? []);
  for (const post of known.values()) if (hidden.has(post.no) !== Boolean(post.is_hidden)) known.set(post.no, withHiding(post, hidden.has(post.no)));
  return { posts: [...known.values()].sort((one, other) => one.no - other.no), last: Math.max(room.last, page.last, newest(room)) };
}

/** A post that is hidden loses its text; one that is shown again gets it at the next visit. */
function withHiding(post, isHidden) {
  return isHidden ? { ...post, text: "", is_hidden: true } : post;
}

/** The posts up to number `last`, as far back as there is no gap. */
export function upTo(room, last) {
  const known = new Map(room.posts.map((post) => [post.no, post]));
  const posts = [];
  for (let no = last; known.has(no); no -= 1) posts.unshift(known.get(no));
  return { posts, last };
}

/** The next page to request, so that no gap is left: "" for the newest page, null for none. */
export function wanted(room, lines) {
  if (lines <= newest(room)) return null;
  return room.posts.length ? `?after=${newest(room)}` : "";
}

/** Posts of one player (a seat), of those that call `name` ("mentions"), or all ("all"). */
export function filtered(posts, filter, calls) {
  if (filter === "all") return posts;
  if (filter === "mentions") return posts.filter((post) => calls(post.text));
  return posts.filter((post) => post.seat === Number(filter));
}

/**
 * The posts in the phases where a reader looks for them: none after the last phase, and a will in the
 * day that ended with its author's death, not in the night that began then.
 */
export function placed(posts, first, last) {
  return posts.map((post) => {
    const isAfterDay = post.is_will && post.phase > 1 && phaseName(post.phase, first).startsWith("Night");
    const phase = Math.min(isAfterDay ? post.phase - 1 : post.phase, last);
    return phase === post.phase ? post : { ...post, phase };
  });
}

/** The posts of a phase, or all (0), that have all of these words in text or author. */
export function found(posts, phase, search) {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return posts.filter((post) => (!phase || post.phase === phase) && words.every((word) => `${post.name}\n${post.text}`.toLowerCase().includes(word)));
}

/** Whether pages before those that are there may hold posts of the kind that is shown. */
export function needsOlder(room, filter, phase, search) {
  if (!hasOlder(room)) return false;
  if (filter !== "all" || search.trim()) return true;
  return phase > 0 && room.posts[0].phase >= phase;
}

/** A phase as people call it: "Night 2", "Day 1"; a round is two phases, the first of them a `first`. */
export function phaseName(phase, first = "night") {
  const isNight = (phase % 2 === 1) === (first === "night");
  return `${isNight ? "Night" : "Day"} ${Math.ceil(phase / 2)}`;
}

/** Ask the site for a page of a room's posts. */
export async function read(url, query) {
  const answer = await fetch(`${url}${query}`, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`the posts did not come: ${answer.status}`);
  return answer.json();
}
