-- The tables that searches read. `social_data` stands for the schema. Columns `id` and `…_id` of type bigint hold ids minus 2^63.

CREATE TABLE social_data.tweet (
  id bigint PRIMARY KEY,
  -- Milliseconds since the epoch.
  created_at bigint NOT NULL,
  author_id bigint NOT NULL,
  place_id text,
  -- The exact point, in degrees.
  longitude float8,
  latitude float8,
  -- The texts have more words than `words` can hold positions for: they are in long_tweet.
  is_long boolean NOT NULL,
  words tsvector NOT NULL
);
-- The default of 100 makes the planner read the whole table for rare words.
ALTER TABLE social_data.tweet ALTER words SET STATISTICS 1000;
CREATE INDEX tweet_words ON social_data.tweet USING gin (words) WITH (fastupdate = on, gin_pending_list_limit = 512);
CREATE INDEX tweet_newest ON social_data.tweet (created_at DESC, id DESC);
CREATE INDEX tweet_by_author ON social_data.tweet (author_id, created_at DESC, id DESC);

-- Lines of words between blanks, one line for each text and each link.
CREATE TABLE social_data.long_tweet (
  id bigint PRIMARY KEY,
  texts text NOT NULL,
  links text NOT NULL
);

-- Counts change often, so they are not in the rows of the large index.
CREATE TABLE social_data.tweet_count (
  id bigint PRIMARY KEY,
  retweet_count bigint NOT NULL,
  reply_count bigint NOT NULL,
  like_count bigint NOT NULL,
  quote_count bigint NOT NULL,
  bookmark_count bigint NOT NULL,
  view_count bigint NOT NULL
) WITH (fillfactor = 80);
-- Conditions with a high limit select few tweets. For a low limit, the planner looks up the counts of each tweet.
CREATE INDEX tweet_count_likes ON social_data.tweet_count (like_count) WHERE like_count >= 100;
CREATE INDEX tweet_count_retweets ON social_data.tweet_count (retweet_count) WHERE retweet_count >= 100;
CREATE INDEX tweet_count_replies ON social_data.tweet_count (reply_count) WHERE reply_count >= 100;

CREATE TABLE social_data.person (
  id bigint PRIMARY KEY,
  -- In lower case. Several users can have had the same one.
  username text NOT NULL,
  verified boolean NOT NULL,
  blue_verified boolean NOT NULL,
  is_long boolean NOT NULL,
  -- The display name and the username.
  name_words tsvector NOT NULL,
  name text NOT NULL
);
CREATE INDEX person_by_username ON social_data.person (username);
CREATE INDEX person_name ON social_data.person USING gin (name_words);

CREATE TABLE social_data.place (
  id text PRIMARY KEY,
  terms text[] NOT NULL,
  west float8,
  south float8,
  east float8,
  north float8
);
CREATE INDEX place_terms ON social_data.place USING gin (terms);
CREATE INDEX place_latitudes ON social_data.place (south, north);

CREATE TABLE social_data.list (
  id text PRIMARY KEY,
  owner_id bigint NOT NULL,
  -- In lower case.
  slug text
);
CREATE INDEX list_by_slug ON social_data.list (slug);
CREATE TABLE social_data.list_member (
  list_id text NOT NULL,
  user_id bigint NOT NULL,
  PRIMARY KEY (list_id, user_id)
);
