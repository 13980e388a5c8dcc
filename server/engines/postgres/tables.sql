-- The tables of a platform in PostgreSQL. `social_data` stands for the schema. Columns `id` and `…_id` of type bigint hold ids
-- minus 2^63. Times are milliseconds since the epoch. Texts in which a search for equality is made have the form of `lexemeOf`.
-- A column `document` holds the JSON of the record; in `tweet`, without what other columns hold.

CREATE TABLE social_data.tweet (
  id bigint PRIMARY KEY,
  -- Milliseconds since the epoch.
  created_at bigint NOT NULL,
  author_id bigint NOT NULL,
  place_id text,
  -- The exact point, in degrees.
  longitude float8,
  latitude float8,
  in_reply_to_id bigint,
  quoted_id bigint,
  retweeted_id bigint,
  community_id bigint,
  -- The username that the tweet replies to, in lower case.
  reply_to text,
  -- The number of the commit in which the tweet arrived.
  arrived_in bigint NOT NULL DEFAULT 0,
  -- The texts have more words than `words` can hold positions for: they are in long_tweet.
  is_long boolean NOT NULL,
  has_media boolean NOT NULL DEFAULT false,
  -- The words and terms (lexemes.ts), the time (time-buckets.ts) and the level of the engagement (engagement-levels.ts), by which a search
  -- finds the tweet.
  words tsvector NOT NULL,
  -- The record without its counts and without what the columns hold: see tweet-record.ts.
  document text NOT NULL
);
-- The default of 100 makes the planner read the whole table for rare words. More than 500 makes planning slower.
ALTER TABLE social_data.tweet ALTER words SET STATISTICS 500;
-- Parallel workers read far more than one page needs.
ALTER TABLE social_data.tweet SET (parallel_workers = 0);
-- The defaults are larger shares of the table: the pending list of the index of words would grow, and statistics get old.
ALTER TABLE social_data.tweet SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX tweet_words ON social_data.tweet USING gin (words) WITH (fastupdate = on, gin_pending_list_limit = 512);
-- Ascending: most tweets arrive in the order of time, and an index grows at its end without half-empty pages.
CREATE INDEX tweet_newest ON social_data.tweet (created_at, id);
CREATE INDEX tweet_by_author ON social_data.tweet (author_id, created_at, id);
CREATE INDEX tweet_replies ON social_data.tweet (in_reply_to_id, created_at, id)
  WHERE in_reply_to_id IS NOT NULL;
CREATE INDEX tweet_quotes ON social_data.tweet (quoted_id) WHERE quoted_id IS NOT NULL;
-- A retweet of a quote also has the id of the quoted tweet.
CREATE INDEX tweet_quotes_newest ON social_data.tweet (quoted_id, created_at, id)
  WHERE quoted_id IS NOT NULL AND retweeted_id IS NULL;
CREATE INDEX tweet_retweets ON social_data.tweet (retweeted_id, author_id) WHERE retweeted_id IS NOT NULL;
CREATE INDEX tweet_community ON social_data.tweet (community_id, created_at, id)
  WHERE community_id IS NOT NULL;
CREATE INDEX tweet_reply_to ON social_data.tweet (reply_to, author_id) WHERE reply_to IS NOT NULL;

-- The mentions of a tweet. A text mentions a username; the source may name the id.
CREATE TABLE social_data.mention (
  tweet_id bigint NOT NULL,
  place int NOT NULL,
  created_at bigint NOT NULL,
  -- In lower case.
  username text NOT NULL,
  user_id bigint,
  PRIMARY KEY (tweet_id, place)
);
CREATE INDEX mention_by_id ON social_data.mention (user_id, created_at, tweet_id) WHERE user_id IS NOT NULL;
CREATE INDEX mention_by_name ON social_data.mention (username, created_at, tweet_id);
CREATE INDEX mention_without_id ON social_data.mention (username, created_at, tweet_id) WHERE user_id IS NULL;

-- Lines of words between blanks, one line for each text and each link.
CREATE TABLE social_data.long_tweet (
  id bigint PRIMARY KEY,
  texts text NOT NULL,
  links text NOT NULL
);

-- Counts change often, so they are not in the rows of the large index: it has only the level of the engagement.
CREATE TABLE social_data.tweet_count (
  id bigint PRIMARY KEY,
  retweet_count bigint NOT NULL,
  reply_count bigint NOT NULL,
  like_count bigint NOT NULL,
  quote_count bigint NOT NULL,
  bookmark_count bigint NOT NULL,
  view_count bigint NOT NULL,
  -- Bit n is set if the source reported count n: the others are 0.
  known int NOT NULL DEFAULT 0,
  engagement bigint NOT NULL DEFAULT 0,
  observed_at bigint NOT NULL DEFAULT 0,
  -- The community of the tweet, and its rank there: see search/community-rank.ts.
  community_id bigint,
  rank bigint
) WITH (fillfactor = 90);
ALTER TABLE social_data.tweet_count SET (parallel_workers = 0);
ALTER TABLE social_data.tweet_count SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
-- Conditions with a high limit select few tweets. For a low limit, the planner looks up the counts of each tweet.
CREATE INDEX tweet_count_likes ON social_data.tweet_count (like_count) WHERE like_count >= 100;
CREATE INDEX tweet_count_retweets ON social_data.tweet_count (retweet_count) WHERE retweet_count >= 100;
CREATE INDEX tweet_count_replies ON social_data.tweet_count (reply_count) WHERE reply_count >= 100;

-- Tweets without any engagement are frequent: the statistics of each column alone would make them rare.
CREATE STATISTICS social_data.tweet_count_together (mcv)
  ON like_count, retweet_count, reply_count FROM social_data.tweet_count;

-- Top walks it for common words.
CREATE INDEX tweet_count_engagement ON social_data.tweet_count (engagement);
CREATE INDEX tweet_count_community ON social_data.tweet_count (community_id, rank, id) WHERE community_id IS NOT NULL;

-- The engagement of a tweet before a commit: all pages of a ranking read the engagement as of one commit.
CREATE TABLE social_data.engagement_before (
  id bigint NOT NULL,
  commit bigint NOT NULL,
  engagement bigint NOT NULL,
  community_id bigint,
  PRIMARY KEY (id, commit)
);
CREATE INDEX engagement_before_commit ON social_data.engagement_before (commit);
CREATE INDEX engagement_before_community ON social_data.engagement_before (community_id, commit)
  WHERE community_id IS NOT NULL;

-- The profiles, and the users that mentions describe.
CREATE TABLE social_data.person (
  id bigint PRIMARY KEY,
  -- In lower case. Several users can have had the same one.
  username text NOT NULL,
  verified boolean NOT NULL,
  blue_verified boolean NOT NULL,
  is_long boolean NOT NULL,
  -- The display name and the username.
  name_words tsvector NOT NULL,
  name text NOT NULL,
  document text NOT NULL DEFAULT '{}',
  observed_at bigint NOT NULL DEFAULT 0,
  did text,
  -- Of a user without a profile: the newest tweet that mentions the user.
  described_at bigint,
  described_by bigint
);
CREATE INDEX person_by_username ON social_data.person (username);
CREATE INDEX person_by_did ON social_data.person (did) WHERE did IS NOT NULL;
CREATE INDEX person_verified ON social_data.person (id) WHERE verified;
CREATE INDEX person_blue_verified ON social_data.person (id) WHERE blue_verified;
CREATE INDEX person_name ON social_data.person USING gin (name_words);

CREATE TABLE social_data.place (
  id text PRIMARY KEY,
  west float8,
  south float8,
  east float8,
  north float8,
  document text NOT NULL DEFAULT '{}'
);
CREATE INDEX place_latitudes ON social_data.place (south, north);
CREATE TABLE social_data.place_term (
  term text,
  place_id text,
  PRIMARY KEY (term, place_id)
);
CREATE INDEX place_term_place ON social_data.place_term (place_id);

CREATE TABLE social_data.list (
  id text PRIMARY KEY,
  owner_id bigint NOT NULL,
  -- In lower case.
  slug text,
  document text NOT NULL DEFAULT '{}'
);
CREATE INDEX list_by_slug ON social_data.list (slug);
CREATE INDEX list_by_owner ON social_data.list (owner_id);

CREATE TABLE social_data.community (
  id text PRIMARY KEY,
  document text NOT NULL
);

CREATE TABLE social_data.space (
  id text PRIMARY KEY,
  host_id bigint NOT NULL,
  document text NOT NULL
);
CREATE INDEX space_by_host ON social_data.space (host_id);
-- The host and the speakers.
CREATE TABLE social_data.space_participant (
  user_id bigint,
  space_id text,
  PRIMARY KEY (user_id, space_id)
);
CREATE INDEX space_participant_space ON social_data.space_participant (space_id);

-- Relations: the first known start, the last one if it differs, and the removal that excludes earlier starts. A row without
-- a start is a removal only. The starts of withdrawn accounts are deleted.
CREATE TABLE social_data.list_member (
  list_id text NOT NULL,
  user_id bigint NOT NULL,
  at bigint DEFAULT 0,
  last bigint,
  removed_at bigint,
  PRIMARY KEY (list_id, user_id)
);
CREATE INDEX list_member_by_user ON social_data.list_member (user_id);
CREATE TABLE social_data.follow (
  follower_id bigint NOT NULL,
  following_id bigint NOT NULL,
  at bigint,
  last bigint,
  removed_at bigint,
  PRIMARY KEY (follower_id, following_id)
);
CREATE INDEX follow_newest ON social_data.follow (follower_id, at, following_id) WHERE at IS NOT NULL;
CREATE INDEX follow_followers ON social_data.follow (following_id, at, follower_id);
CREATE TABLE social_data.retweet (
  tweet_id bigint NOT NULL,
  user_id bigint NOT NULL,
  at bigint,
  last bigint,
  removed_at bigint,
  PRIMARY KEY (tweet_id, user_id)
);
CREATE INDEX retweet_newest ON social_data.retweet (tweet_id, at, user_id) WHERE at IS NOT NULL;
CREATE INDEX retweet_by_user ON social_data.retweet (user_id);
CREATE TABLE social_data.highlight (
  user_id bigint NOT NULL,
  tweet_id bigint NOT NULL,
  at bigint,
  last bigint,
  removed_at bigint,
  PRIMARY KEY (user_id, tweet_id)
);
CREATE INDEX highlight_by_tweet ON social_data.highlight (tweet_id);
CREATE INDEX highlight_newest ON social_data.highlight (user_id, at, tweet_id) WHERE at IS NOT NULL;
CREATE TABLE social_data.membership (
  user_id bigint NOT NULL,
  community_id bigint NOT NULL,
  role text NOT NULL,
  at bigint,
  last bigint,
  removed_at bigint,
  PRIMARY KEY (user_id, community_id)
);
CREATE INDEX membership_newest ON social_data.membership (user_id, at, community_id) WHERE at IS NOT NULL;

-- The likes of the account of this service. A removed like stays, with the time of its removal.
CREATE TABLE social_data.tweet_like (
  tweet_id bigint PRIMARY KEY,
  is_liked boolean NOT NULL,
  at bigint NOT NULL
);

-- Removed tweets.
CREATE TABLE social_data.tombstone (
  id bigint PRIMARY KEY,
  reason text NOT NULL,
  author_id bigint,
  retweeted_id bigint,
  document text NOT NULL
);
CREATE INDEX tombstone_retweets ON social_data.tombstone (retweeted_id) WHERE reason = 'retweet';

-- Withdrawn accounts, and their removed lists.
CREATE TABLE social_data.withdrawn (
  user_id bigint PRIMARY KEY,
  at bigint NOT NULL
);
CREATE TABLE social_data.withdrawn_list (
  list_id text,
  user_id bigint,
  PRIMARY KEY (list_id, user_id)
);
CREATE INDEX withdrawn_list_user ON social_data.withdrawn_list (user_id);

-- The tweets whose places must not be there.
CREATE TABLE social_data.geo_scrub (
  -- The author or the tweet: see `keyOfScrub`.
  key text PRIMARY KEY,
  -- The JSON of the record.
  document text NOT NULL
);

-- How many values of an input are imported.
CREATE TABLE social_data.import_progress (
  fingerprint text PRIMARY KEY,
  applied bigint NOT NULL,
  done boolean NOT NULL
);

-- Where a live source continues, and which part of a list was read from it: see ports/live-sink.ts.
CREATE TABLE social_data.source_position (
  source text PRIMARY KEY,
  position text NOT NULL,
  at bigint NOT NULL
);

-- Increases when a username, a name, a place or a list changes: instances cache what they looked up in these tables.
CREATE TABLE social_data.lookup_version (
  version bigint NOT NULL
);
INSERT INTO social_data.lookup_version VALUES (1);
CREATE FUNCTION social_data.count_lookup_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE social_data.lookup_version SET version = version + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER person_added AFTER INSERT OR DELETE OR TRUNCATE ON social_data.person
  FOR EACH STATEMENT EXECUTE FUNCTION social_data.count_lookup_change();
CREATE TRIGGER person_changed AFTER UPDATE ON social_data.person FOR EACH ROW
  WHEN (OLD.username IS DISTINCT FROM NEW.username OR OLD.name_words IS DISTINCT FROM NEW.name_words
    OR OLD.name IS DISTINCT FROM NEW.name)
  EXECUTE FUNCTION social_data.count_lookup_change();
CREATE TRIGGER place_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON social_data.place
  FOR EACH STATEMENT EXECUTE FUNCTION social_data.count_lookup_change();
CREATE TRIGGER list_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON social_data.list
  FOR EACH STATEMENT EXECUTE FUNCTION social_data.count_lookup_change();
CREATE TRIGGER list_member_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON social_data.list_member
  FOR EACH STATEMENT EXECUTE FUNCTION social_data.count_lookup_change();
