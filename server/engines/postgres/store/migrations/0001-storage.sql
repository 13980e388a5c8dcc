-- The storage of several instances: one ordered log for each journal, small documents, and what instances know of each
-- other. `social_data` stands for the schema that the adapter uses.

-- The records of the journals. The numbers of a log are contiguous in the order of the commits, because a writer takes the
-- advisory lock of the log before it reads the last number.
CREATE TABLE social_data.change (
  log text NOT NULL,
  seq bigint NOT NULL,
  -- NULL where a purge or a trim has removed the text of a row that must stay.
  record text,
  -- On the last row of a commit: the hash of the chain before and of the records. Two histories differ in it.
  chain bytea,
  -- On the last row of a commit: the id that its writer gave to it.
  batch uuid,
  -- The row belongs to a rewrite, which replaced all rows before.
  rewritten boolean NOT NULL DEFAULT false,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (log, seq)
);

-- Small values that are stored whole: keys, secrets, accounts. The text keeps every value of JSON unchanged.
CREATE TABLE social_data.document (
  name text PRIMARY KEY,
  version bigint NOT NULL,
  value text NOT NULL,
  -- The id that the last writer gave to its write.
  write_id uuid NOT NULL
);

-- The instances that are alive, and how far each one has read.
CREATE TABLE social_data.instance (
  id text PRIMARY KEY,
  seen_at timestamptz NOT NULL,
  positions jsonb NOT NULL,
  connections jsonb NOT NULL
);

-- Tasks that one instance at a time performs.
CREATE TABLE social_data.lease (
  name text PRIMARY KEY,
  holder text NOT NULL,
  until timestamptz NOT NULL
);

-- The token buckets of the rate limits.
CREATE TABLE social_data.rate (
  key_id text PRIMARY KEY,
  tokens double precision NOT NULL,
  at timestamptz NOT NULL
);

-- Takes the lock of a log until the end of the transaction. Reads after it see all commits before it.
CREATE FUNCTION social_data.lock_log(given_log text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('lock_timeout', '2s', true),
          set_config('idle_in_transaction_session_timeout', '5s', true);
  PERFORM pg_advisory_xact_lock(hashtextextended('social_data.change/' || given_log, 0));
END
$$;

-- Appends records, which a newline separates, unless the batch is in the log already: its commit may have succeeded
-- although the writer did not get the answer. `known`: a number before which the batch cannot be.
CREATE FUNCTION social_data.append_records(given_log text, given_batch uuid, known bigint, lines text, as_rewrite boolean)
RETURNS TABLE (first_seq bigint, last_seq bigint, chain_hex text) LANGUAGE plpgsql AS $$
DECLARE
  records text[] := string_to_array(lines, E'\n');
  added int := cardinality(records);
  head bigint;
  before bytea;
  after bytea;
BEGIN
  PERFORM social_data.lock_log(given_log);
  SELECT seq, chain INTO head, before FROM social_data.change WHERE log = given_log ORDER BY seq DESC LIMIT 1;
  head := coalesce(head, 0);
  IF head > known THEN
    SELECT seq, chain INTO last_seq, after FROM social_data.change
      WHERE log = given_log AND seq > known AND batch = given_batch;
    IF FOUND THEN
      first_seq := last_seq - added + 1;
      chain_hex := encode(after, 'hex');
      RETURN NEXT;
      RETURN;
    END IF;
  END IF;
  after := sha256(coalesce(before, ''::bytea) || convert_to(lines, 'UTF8'));
  INSERT INTO social_data.change (log, seq, record, chain, batch, rewritten)
    SELECT given_log, head + n, record,
           CASE WHEN n = added THEN after END, CASE WHEN n = added THEN given_batch END, as_rewrite
    FROM unnest(records) WITH ORDINALITY AS given (record, n);
  first_seq := head + 1;
  last_seq := head + added;
  chain_hex := encode(after, 'hex');
  PERFORM pg_notify('social_data', 'log ' || given_log || ' ' || last_seq);
  RETURN NEXT;
END
$$;

-- Removes the rows of a log up to a number, at most `most` of them. The last row of the log stays without its text,
-- because it has the number and the chain that the next commit continues. Returns whether rows are left.
CREATE FUNCTION social_data.trim_log(given_log text, up_to bigint, most int, by_rewrite boolean)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  head bigint;
  removed int;
BEGIN
  SELECT seq INTO head FROM social_data.change WHERE log = given_log ORDER BY seq DESC LIMIT 1;
  IF head IS NULL THEN RETURN false; END IF;
  IF head <= up_to THEN
    UPDATE social_data.change SET record = NULL, rewritten = rewritten OR by_rewrite
      WHERE log = given_log AND seq = head AND record IS NOT NULL;
  END IF;
  DELETE FROM social_data.change WHERE log = given_log AND seq IN (
    SELECT seq FROM social_data.change WHERE log = given_log AND seq <= up_to AND seq < head ORDER BY seq LIMIT most);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed = most;
END
$$;

-- Removes the text of these records. The last row of a commit stays without it.
CREATE FUNCTION social_data.purge_records(given_log text, numbers bigint[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM social_data.change WHERE log = given_log AND seq = ANY (numbers) AND chain IS NULL;
  UPDATE social_data.change SET record = NULL WHERE log = given_log AND seq = ANY (numbers) AND chain IS NOT NULL;
$$;

-- Writes a document if it still has this version (0: it does not exist yet).
CREATE FUNCTION social_data.write_document(given_name text, known bigint, given_value text, given_id uuid)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF known = 0 THEN
    INSERT INTO social_data.document (name, version, value, write_id) VALUES (given_name, 1, given_value, given_id)
      ON CONFLICT DO NOTHING;
  ELSE
    UPDATE social_data.document SET version = version + 1, value = given_value, write_id = given_id
      WHERE name = given_name AND version = known;
  END IF;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM pg_notify('social_data', 'document ' || given_name);
  RETURN true;
END
$$;

-- Takes up to `wanted` whole tokens of a bucket of `requests` tokens that is refilled over `period_ms`, after `debt` tokens
-- that were used already. `given_at`: the time; NULL for the clock of the database.
CREATE FUNCTION social_data.take_tokens(given_key text, requests double precision, period_ms double precision,
  wanted double precision, debt double precision, given_at timestamptz)
RETURNS TABLE (taken double precision, tokens_left double precision) LANGUAGE plpgsql AS $$
DECLARE
  now_at timestamptz;
  row social_data.rate;
BEGIN
  INSERT INTO social_data.rate (key_id, tokens, at)
    VALUES (given_key, requests, coalesce(given_at, clock_timestamp())) ON CONFLICT DO NOTHING;
  SELECT * INTO row FROM social_data.rate WHERE key_id = given_key FOR UPDATE;
  now_at := greatest(row.at, coalesce(given_at, clock_timestamp()));
  row.tokens := least(requests, row.tokens + extract(epoch FROM now_at - row.at) * 1000 * requests / period_ms);
  row.tokens := row.tokens - debt;
  taken := greatest(0, least(wanted, floor(row.tokens + 1e-9)));
  tokens_left := row.tokens - taken;
  UPDATE social_data.rate SET tokens = tokens_left, at = now_at WHERE key_id = given_key;
  RETURN NEXT;
END
$$;

-- Notes that an instance is alive, and takes or keeps the leadership if nobody else has it. Returns the connections of
-- the other living instances, and whether this one leads.
CREATE FUNCTION social_data.heartbeat(given_id text, given_positions jsonb, given_connections jsonb, lease_ms int)
RETURNS TABLE (is_leader boolean, others jsonb) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO social_data.instance AS i (id, seen_at, positions, connections)
    VALUES (given_id, clock_timestamp(), given_positions, given_connections)
    ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, positions = excluded.positions,
      connections = excluded.connections;
  INSERT INTO social_data.lease AS l (name, holder, until)
    VALUES ('leader', given_id, clock_timestamp() + lease_ms * interval '1 millisecond')
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
      WHERE l.holder = excluded.holder OR l.until < clock_timestamp();
  is_leader := FOUND;
  DELETE FROM social_data.instance WHERE seen_at < clock_timestamp() - interval '1 hour';
  others := (SELECT coalesce(jsonb_agg(connections), '[]'::jsonb) FROM social_data.instance
    WHERE id <> given_id AND seen_at > clock_timestamp() - interval '5 seconds');
  RETURN NEXT;
END
$$;

-- Ends the leadership of an instance that stops.
CREATE FUNCTION social_data.leave(given_id text) RETURNS void LANGUAGE sql AS $$
  DELETE FROM social_data.instance WHERE id = given_id;
  DELETE FROM social_data.lease WHERE holder = given_id;
$$;
