-- What the copies of a log in the data directories of instances need: which database they belong to, and whether a purge
-- has removed records that they hold.

CREATE TABLE social_data.storage (id uuid PRIMARY KEY);
INSERT INTO social_data.storage VALUES (gen_random_uuid());

-- The number of steps of purges of each log.
CREATE TABLE social_data.purge (log text PRIMARY KEY, steps bigint NOT NULL);

-- Removes the text of these records. The last row of a commit stays without it.
CREATE OR REPLACE FUNCTION social_data.purge_records(given_log text, numbers bigint[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM social_data.change WHERE log = given_log AND seq = ANY (numbers) AND chain IS NULL;
  UPDATE social_data.change SET record = NULL WHERE log = given_log AND seq = ANY (numbers) AND chain IS NOT NULL;
  INSERT INTO social_data.purge AS p (log, steps) VALUES (given_log, 1)
    ON CONFLICT (log) DO UPDATE SET steps = p.steps + 1;
$$;
