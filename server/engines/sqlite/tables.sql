-- The tables of an archive in SQLite. Columns `id` and `…_id` of type INTEGER hold ids minus 2^63, as in PostgreSQL; the views below show
-- ids as they are. Times are milliseconds since the epoch. A column `document` holds the JSON of the record; in `tweet`, without what
-- other columns hold, and `crc` its CRC-32, by which `npm run doctor` finds a changed byte. `pos` is the place of a tweet in time: see tweet-position.ts.
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE tweet (
  pos INTEGER PRIMARY KEY,
  id INTEGER NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  author_id INTEGER NOT NULL,
  place_id TEXT,
  -- The exact point, in degrees.
  longitude REAL,
  latitude REAL,
  in_reply_to_id INTEGER,
  quoted_id INTEGER,
  retweeted_id INTEGER,
  community_id INTEGER,
  -- The username that the tweet replies to, in lower case.
  reply_to TEXT,
  -- The number of the commit in which the tweet arrived.
  arrived_in INTEGER NOT NULL,
  has_media INTEGER NOT NULL,
  document TEXT NOT NULL,
  crc INTEGER NOT NULL
) STRICT;
CREATE INDEX tweet_newest ON tweet (created_at, id);
CREATE INDEX tweet_by_author ON tweet (author_id, created_at, id);
-- By author and position: the order in which a search reads the tweets of some authors.
CREATE INDEX tweet_author ON tweet (author_id);
CREATE INDEX tweet_replies ON tweet (in_reply_to_id, created_at, id) WHERE in_reply_to_id IS NOT NULL;
CREATE INDEX tweet_quotes ON tweet (quoted_id) WHERE quoted_id IS NOT NULL;
-- A retweet of a quote also has the id of the quoted tweet.
CREATE INDEX tweet_quotes_newest ON tweet (quoted_id, created_at, id) WHERE quoted_id IS NOT NULL AND retweeted_id IS NULL;
CREATE INDEX tweet_retweets ON tweet (retweeted_id, author_id) WHERE retweeted_id IS NOT NULL;
CREATE INDEX tweet_community ON tweet (community_id, created_at, id) WHERE community_id IS NOT NULL;
CREATE INDEX tweet_reply_to ON tweet (reply_to, author_id) WHERE reply_to IS NOT NULL;

-- Counts change often. Their rows are small, so that a change, a condition and a ranking do not touch the row of the tweet.
CREATE TABLE tweet_count (
  pos INTEGER PRIMARY KEY,
  retweet_count INTEGER NOT NULL,
  reply_count INTEGER NOT NULL,
  like_count INTEGER NOT NULL,
  quote_count INTEGER NOT NULL,
  bookmark_count INTEGER NOT NULL,
  view_count INTEGER NOT NULL,
  -- Bit n is set if the source reported count n: the others are 0.
  known INTEGER NOT NULL,
  engagement INTEGER NOT NULL,
  observed_at INTEGER NOT NULL,
  -- The community of the tweet, and its rank there: see search/community-rank.ts.
  community_id INTEGER,
  rank INTEGER
) STRICT;
CREATE INDEX tweet_count_community ON tweet_count (community_id, rank) WHERE community_id IS NOT NULL;

-- The engagement of a tweet before a commit: all pages of a ranking read the engagement as of one commit.
CREATE TABLE engagement_before (
  id INTEGER,
  "commit" INTEGER,
  engagement INTEGER NOT NULL,
  community_id INTEGER,
  PRIMARY KEY (id, "commit")
) STRICT, WITHOUT ROWID;
CREATE INDEX engagement_before_commit ON engagement_before ("commit");
CREATE INDEX engagement_before_community ON engagement_before (community_id, "commit") WHERE community_id IS NOT NULL;

-- Tweets whose words are not those of `word` and `top_word` yet, with their words. Words are written in groups: FTS5 needs most of the time of a
-- small transaction.
CREATE TABLE word_pending (
  pos INTEGER PRIMARY KEY,
  -- The number of the last commit that has changed the words.
  changed_in INTEGER NOT NULL,
  -- Whether `word` has other words of the tweet.
  is_known INTEGER NOT NULL,
  text TEXT NOT NULL,
  link TEXT NOT NULL,
  term TEXT NOT NULL
) STRICT;

-- The tweets with the most engagement. `rank` is the number of their level and a number within it: see top.ts.
CREATE TABLE top (rank INTEGER PRIMARY KEY, pos INTEGER NOT NULL UNIQUE) STRICT;

-- The mentions of a tweet. A text mentions a username, in lower case; the source may name the id.
CREATE TABLE mention (
  tweet_id INTEGER,
  place INTEGER,
  created_at INTEGER NOT NULL,
  username TEXT NOT NULL,
  user_id INTEGER,
  PRIMARY KEY (tweet_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX mention_by_id ON mention (user_id, created_at, tweet_id) WHERE user_id IS NOT NULL;
CREATE INDEX mention_by_name ON mention (username, created_at, tweet_id);
CREATE INDEX mention_without_id ON mention (username, created_at, tweet_id) WHERE user_id IS NULL;

-- The profiles, and the users that mentions describe. Several users can have had the same username.
CREATE TABLE person (
  id INTEGER PRIMARY KEY,
  username TEXT NOT NULL,
  verified INTEGER NOT NULL,
  blue_verified INTEGER NOT NULL,
  document TEXT NOT NULL,
  crc INTEGER NOT NULL,
  observed_at INTEGER NOT NULL,
  did TEXT,
  -- Of a user without a profile: the newest tweet that mentions the user.
  described_at INTEGER,
  described_by INTEGER
) STRICT;
CREATE INDEX person_by_username ON person (username);
CREATE INDEX person_by_did ON person (did) WHERE did IS NOT NULL;
CREATE INDEX person_verified ON person (id) WHERE verified;
CREATE INDEX person_blue_verified ON person (id) WHERE blue_verified;

CREATE TABLE place (
  id TEXT PRIMARY KEY,
  west REAL,
  south REAL,
  east REAL,
  north REAL,
  document TEXT NOT NULL,
  crc INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX place_latitudes ON place (south, north);
CREATE TABLE place_term (term TEXT, place_id TEXT, PRIMARY KEY (term, place_id)) STRICT, WITHOUT ROWID;
CREATE INDEX place_term_place ON place_term (place_id);

CREATE TABLE list (id TEXT PRIMARY KEY, owner_id INTEGER NOT NULL, slug TEXT, document TEXT NOT NULL, crc INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX list_by_slug ON list (slug);
CREATE INDEX list_by_owner ON list (owner_id);

CREATE TABLE community (id TEXT PRIMARY KEY, document TEXT NOT NULL, crc INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE space (id TEXT PRIMARY KEY, host_id INTEGER NOT NULL, document TEXT NOT NULL, crc INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX space_by_host ON space (host_id);
-- The host and the speakers.
CREATE TABLE space_participant (user_id INTEGER, space_id TEXT, PRIMARY KEY (user_id, space_id)) STRICT, WITHOUT ROWID;
CREATE INDEX space_participant_space ON space_participant (space_id);

-- Relations: the first known start, the last one if it differs, and the removal that excludes earlier starts. A row without a start is a
-- removal only.
CREATE TABLE list_member (
  list_id TEXT, user_id INTEGER, at INTEGER, last INTEGER, removed_at INTEGER,
  PRIMARY KEY (list_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX list_member_by_user ON list_member (user_id);
CREATE TABLE follow (
  follower_id INTEGER, following_id INTEGER, at INTEGER, last INTEGER, removed_at INTEGER,
  PRIMARY KEY (follower_id, following_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX follow_newest ON follow (follower_id, at, following_id) WHERE at IS NOT NULL;
CREATE INDEX follow_followers ON follow (following_id, at, follower_id);
CREATE TABLE retweet (
  tweet_id INTEGER, user_id INTEGER, at INTEGER, last INTEGER, removed_at INTEGER,
  PRIMARY KEY (tweet_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX retweet_newest ON retweet (tweet_id, at, user_id) WHERE at IS NOT NULL;
CREATE INDEX retweet_by_user ON retweet (user_id);
CREATE TABLE highlight (
  user_id INTEGER, tweet_id INTEGER, at INTEGER, last INTEGER, removed_at INTEGER,
  PRIMARY KEY (user_id, tweet_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX highlight_by_tweet ON highlight (tweet_id);
CREATE INDEX highlight_newest ON highlight (user_id, at, tweet_id) WHERE at IS NOT NULL;
CREATE TABLE membership (
  user_id INTEGER, community_id INTEGER, role TEXT NOT NULL, at INTEGER, last INTEGER, removed_at INTEGER,
  PRIMARY KEY (user_id, community_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX membership_newest ON membership (user_id, at, community_id) WHERE at IS NOT NULL;

-- The likes of the account of this service. A removed like stays, with the time of its removal.
CREATE TABLE tweet_like (tweet_id INTEGER PRIMARY KEY, is_liked INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;

-- Removed tweets.
CREATE TABLE tombstone (
  id INTEGER PRIMARY KEY,
  reason TEXT NOT NULL,
  author_id INTEGER,
  retweeted_id INTEGER,
  document TEXT NOT NULL,
  crc INTEGER NOT NULL
) STRICT;
CREATE INDEX tombstone_retweets ON tombstone (retweeted_id) WHERE reason = 'retweet';

-- Withdrawn accounts, and their removed lists.
CREATE TABLE withdrawn (user_id INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT;
CREATE TABLE withdrawn_list (list_id TEXT, user_id INTEGER, PRIMARY KEY (list_id, user_id)) STRICT, WITHOUT ROWID;
CREATE INDEX withdrawn_list_user ON withdrawn_list (user_id);

-- The tweets whose places must not be there. The key is the author or the tweet: see `keyOfScrub`.
CREATE TABLE geo_scrub (key TEXT PRIMARY KEY, document TEXT NOT NULL, crc INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- How many values of an input are imported.
CREATE TABLE import_progress (fingerprint TEXT PRIMARY KEY, applied INTEGER NOT NULL, done INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- Where a live source continues, and which part of a list was read from it: see ports/live-sink.ts.
CREATE TABLE source_position (source TEXT PRIMARY KEY, position TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

-- The logs: their records have consecutive numbers. `batch` names the records of one call.
CREATE TABLE change (
  log TEXT,
  seq INTEGER,
  record TEXT,
  -- The CRC-32 of the record.
  crc INTEGER,
  batch TEXT NOT NULL,
  PRIMARY KEY (log, seq)
) STRICT, WITHOUT ROWID;
