import { DatabaseSync } from 'node:sqlite'

/**
 * The index says what there is; a file without a row is nothing. Contents up to `INLINE_BYTES` are kept beside their
 * row, where thousands of small ones share one flush of the disk. They have a table of their own so that the rows of a
 * listing stay close together.
 */
export const INLINE_BYTES = 16 * 1024

const SCHEMA = `
  create table if not exists buckets (name text primary key) without rowid;
  create table if not exists objects (
    bucket text not null,
    key text not null,
    size integer not null,
    modified_at text not null,
    md5 text not null,
    sha256 text not null,
    content_type text not null,
    file text,
    inline integer,
    primary key (bucket, key)
  ) without rowid;
  -- checksums of the blocks of a file; those of older versions get them from a scrub
  create table if not exists block_sums (file text primary key, sums blob not null);
  create table if not exists damaged (
    bucket text not null, key text not null, found_at text not null, what text not null, primary key (bucket, key)
  ) without rowid;
  create table if not exists inlined (id integer primary key, content blob not null);
  -- committed, and perhaps still under their temporary name
  create table if not exists arriving (file text primary key) without rowid;
  -- no longer referred to, and perhaps still there
  create table if not exists leaving (file text primary key) without rowid;
`

/** The totals of a store, updated with every batch of changes; counted once for a store of an older version. */
const TOTALS = `
  create table if not exists totals (only integer primary key, objects integer not null, bytes integer not null);
  insert or ignore into totals
    select 1, count(*), coalesce(sum(size), 0) from objects where not exists (select 1 from totals);
`

export interface ObjectRow {
  readonly bucket: string
  readonly key: string
  readonly size: number
  /** ISO 8601. */
  readonly modified_at: string
  /** Hexadecimal, because text is read far faster than bytes. */
  readonly md5: string
  readonly sha256: string
  readonly content_type: string
  readonly file: string | null
  readonly inline: number | null
}

export function openIndex(file: string, access: 'write' | 'read'): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 5000 })
  database.exec('pragma page_size = 8192') // a small content and its row fit on one page
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -32768')
  database.exec('pragma wal_autocheckpoint = 4000; pragma mmap_size = 268435456')
  if (access === 'write') database.exec(SCHEMA + TOTALS)
  else database.exec('pragma query_only = on')
  return database
}
