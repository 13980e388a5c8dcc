-- What the saved tables of instances need: whether a purge has removed records since they were saved. A count can have the same value
-- again after a restore to an earlier time, a stamp cannot.
ALTER TABLE social_data.purge ADD COLUMN stamp uuid NOT NULL DEFAULT gen_random_uuid();

-- Removes the text of these records. The last row of a commit stays without it.
CREATE OR REPLACE FUNCTION social_data.purge_records(given_log text, numbers bigint[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM social_data.change WHERE log = given_log AND seq = ANY (numbers) AND chain IS NULL;
  UPDATE social_data.change SET record = NULL WHERE log = given_log AND seq = ANY (numbers) AND chain IS NOT NULL;
  INSERT INTO social_data.purge AS p (log, steps) VALUES (given_log, 1)
    ON CONFLICT (log) DO UPDATE SET steps = p.steps + 1, stamp = gen_random_uuid();
$$;
