-- The tables of the archive that searches read. `pos` is the place of a tweet in time: see tweet-position.ts.
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE tweet (
  pos INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  -- Milliseconds since the epoch.
  created_at INTEGER NOT NULL,
  author_id TEXT NOT NULL,
  in_reply_to_id TEXT,
  quoted_id TEXT,
  retweeted_id TEXT,
  community_id TEXT,
  longitude REAL,
  latitude REAL,
  -- The record as JSON, without its id, its counts and the time of their observation.
  document TEXT NOT NULL
) STRICT;

-- Counts change often. Their rows have 34 bytes, so that a change, a condition and a ranking do not touch the row of the tweet.
CREATE TABLE tweet_count (
  pos INTEGER PRIMARY KEY,
  retweet_count INTEGER NOT NULL,
  reply_count INTEGER NOT NULL,
  like_count INTEGER NOT NULL,
  quote_count INTEGER NOT NULL,
  bookmark_count INTEGER NOT NULL,
  view_count INTEGER NOT NULL,
  engagement INTEGER NOT NULL
) STRICT;

CREATE TABLE person (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  -- In lower case.
  username TEXT NOT NULL,
  verified INTEGER NOT NULL,
  blue_verified INTEGER NOT NULL,
  document TEXT NOT NULL
) STRICT;
CREATE INDEX person_username ON person (username);
CREATE INDEX person_verified ON person (id) WHERE verified;
CREATE INDEX person_blue_verified ON person (id) WHERE blue_verified;

CREATE TABLE place (id TEXT PRIMARY KEY, west REAL, south REAL, east REAL, north REAL) STRICT, WITHOUT ROWID;
CREATE TABLE place_term (term TEXT, place_id TEXT, PRIMARY KEY (term, place_id)) STRICT, WITHOUT ROWID;
CREATE TABLE list (id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, slug TEXT) STRICT, WITHOUT ROWID;
CREATE INDEX list_owner ON list (owner_id);
CREATE TABLE list_member (list_id TEXT, user_id TEXT, PRIMARY KEY (list_id, user_id)) STRICT, WITHOUT ROWID;

-- Tweets whose words are not those of `word` and `top_word` yet. Words are written in groups: FTS5 needs most of the time of a small transaction.
CREATE TABLE word_pending (pos INTEGER PRIMARY KEY) STRICT;

-- The tweets with the most engagement. `rank` is the number of their level and a number within it: see top.ts.
CREATE TABLE top (rank INTEGER PRIMARY KEY, pos INTEGER NOT NULL UNIQUE) STRICT;
