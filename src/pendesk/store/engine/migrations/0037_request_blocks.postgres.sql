DROP TABLE rate_windows;
-- When the last requests were let through, the oldest first.
CREATE UNLOGGED TABLE rate_windows (
  key TEXT PRIMARY KEY,
  hits BIGINT[] NOT NULL
);
-- What a server may let through until expires_at without asking again. It counts as used until the server says what it
-- has used of it, or for a minute after it has expired.
CREATE UNLOGGED TABLE rate_blocks (
  key TEXT NOT NULL,
  server TEXT NOT NULL,
  size BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (key, server)
);

-- Says when the server's last block was used (the rest of it is given back), and takes another of at most so many. The
-- nearer the limit the smaller, so that the last allowances do not lie with a server that nobody asks. What all servers
-- let through in any window is never more than the limit.
CREATE FUNCTION take_request_block(
  for_key text, by_server text, used bigint[], wanted bigint, most bigint, moment bigint, window_us bigint,
  valid_us bigint, OUT granted bigint, OUT wait_us bigint)
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  kept bigint[];
  elsewhere bigint;
  next_expiry bigint;
  free bigint;
BEGIN
  INSERT INTO rate_windows (key, hits) VALUES (for_key, '{}') ON CONFLICT (key) DO NOTHING;
  SELECT w.hits INTO kept FROM rate_windows w WHERE w.key = for_key FOR UPDATE;
  SELECT coalesce(array_agg(hit ORDER BY hit), '{}') INTO kept FROM unnest(kept || used) hit
  WHERE hit > moment - window_us;
  SELECT coalesce(sum(b.size), 0), min(b.expires_at) INTO elsewhere, next_expiry FROM rate_blocks b
  WHERE b.key = for_key AND b.server <> by_server AND b.expires_at > moment - window_us;
  free := most - cardinality(kept) - elsewhere;
  granted := greatest(0, least(wanted, free, greatest(1, free / 8)));
  wait_us := greatest(1, least(kept[1], next_expiry) + window_us - moment);
  INSERT INTO rate_windows AS w (key, hits) VALUES (for_key, kept) ON CONFLICT (key) DO UPDATE SET hits = excluded.hits;
  IF granted > 0 THEN
    INSERT INTO rate_blocks AS b (key, server, size, expires_at) VALUES (for_key, by_server, granted, moment + valid_us)
    ON CONFLICT (key, server) DO UPDATE SET size = excluded.size, expires_at = excluded.expires_at;
  ELSE
    DELETE FROM rate_blocks b WHERE b.key = for_key AND b.server = by_server;
  END IF;
END $$;
