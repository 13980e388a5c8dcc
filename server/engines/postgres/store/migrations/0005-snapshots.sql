-- Snapshots: the saved tables of an instance as chunks of bytes, so that an instance without local files reads them instead of the log.

-- At most one whole snapshot of each log, and one that an instance writes.
CREATE TABLE social_data.snapshot (
  id uuid PRIMARY KEY,
  log text NOT NULL,
  -- How the chunks hold the tables.
  format int NOT NULL,
  -- What the tables are, as JSON, and the number of the last record that they cover.
  about text NOT NULL,
  seq bigint NOT NULL,
  -- NULL until all chunks are there: their number and size, and the size and the checksum of the tables.
  chunks int,
  stored bigint,
  bytes bigint,
  crc bigint,
  at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE UNIQUE INDEX snapshot_whole ON social_data.snapshot (log) WHERE chunks IS NOT NULL;
CREATE UNIQUE INDEX snapshot_unfinished ON social_data.snapshot (log) WHERE chunks IS NULL;

CREATE TABLE social_data.snapshot_chunk (
  snapshot uuid REFERENCES social_data.snapshot ON DELETE CASCADE,
  n int,
  data bytea NOT NULL,
  PRIMARY KEY (snapshot, n)
);
-- The chunks are compressed already.
ALTER TABLE social_data.snapshot_chunk ALTER data SET STORAGE EXTERNAL;

-- Makes purges, beginnings and ends of snapshots of a log wait for each other until the end of the transaction.
CREATE FUNCTION social_data.lock_snapshots(given_log text) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('social_data.snapshot/' || given_log, 0));
$$;

-- Begins a snapshot in the place of one that was not finished. Returns false where the log has another history, or where a purge has
-- removed records since.
CREATE FUNCTION social_data.begin_snapshot(given_id uuid, given_log text, given_format int, given_about text, given_seq bigint,
  given_chain text, given_stamp text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM social_data.lock_snapshots(given_log);
  IF given_stamp <> coalesce((SELECT stamp::text FROM social_data.purge WHERE log = given_log), '') THEN RETURN false; END IF;
  IF NOT EXISTS (SELECT FROM social_data.change
    WHERE log = given_log AND seq = given_seq AND chain = decode(given_chain, 'hex')) THEN RETURN false; END IF;
  DELETE FROM social_data.snapshot WHERE log = given_log AND chunks IS NULL;
  INSERT INTO social_data.snapshot (id, log, format, about, seq)
    VALUES (given_id, given_log, given_format, given_about, given_seq);
  RETURN true;
END
$$;

-- Ends a snapshot whose chunks are all there, in the place of the one before. Returns false where it was removed.
CREATE FUNCTION social_data.end_snapshot(given_id uuid, given_log text, given_chunks int, given_bytes bigint, given_crc bigint)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  found_chunks int;
  found_bytes bigint;
BEGIN
  PERFORM social_data.lock_snapshots(given_log);
  SELECT count(*), sum(octet_length(data)) INTO found_chunks, found_bytes
    FROM social_data.snapshot_chunk WHERE snapshot = given_id;
  IF found_chunks <> given_chunks THEN RETURN false; END IF;
  DELETE FROM social_data.snapshot WHERE log = given_log AND chunks IS NOT NULL;
  UPDATE social_data.snapshot
    SET chunks = given_chunks, stored = found_bytes, bytes = given_bytes, crc = given_crc, at = clock_timestamp()
    WHERE id = given_id;
  RETURN FOUND;
END
$$;

-- Removes the text of these records, and the snapshots, which may have it. The last row of a commit stays without it.
CREATE OR REPLACE FUNCTION social_data.purge_records(given_log text, numbers bigint[]) RETURNS void LANGUAGE sql AS $$
  SELECT social_data.lock_snapshots(given_log);
  DELETE FROM social_data.change WHERE log = given_log AND seq = ANY (numbers) AND chain IS NULL;
  UPDATE social_data.change SET record = NULL WHERE log = given_log AND seq = ANY (numbers) AND chain IS NOT NULL;
  INSERT INTO social_data.purge AS p (log, steps) VALUES (given_log, 1)
    ON CONFLICT (log) DO UPDATE SET steps = p.steps + 1, stamp = gen_random_uuid();
  DELETE FROM social_data.snapshot WHERE log = given_log;
$$;
