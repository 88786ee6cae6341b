import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { TAG_TYPES, type TagType } from '../index.ts'
import type { RetiredTag, TagRecord } from './keeper/log-records.ts'
import type { TagStats } from './keeper/tag-table.ts'

/**
 * A Parquet file with points of one source and one day. Of two files, the one with the greater sequence was written
 * later.
 */
export interface SealedFact {
  /** The path below the engine's folder. */
  readonly path: string
  readonly source: string
  readonly day: number
  readonly sequence: number
  readonly rows: number
  readonly sizeBytes: number
}

export const CHECKSUMS = 'create table if not exists checksums (path text primary key, sums blob not null) strict;'

const SCHEMA = `
  create table if not exists tags (
    id integer primary key, source text not null, name text not null, type integer not null, labels text not null,
    count integer not null default 0, first_ns integer, last_ns integer, last_value real, last_text text
  ) strict;
  create index if not exists tags_source on tags (source);
  create table if not exists files (
    path text primary key, source text not null, day integer not null, sequence integer not null,
    rows integer not null, size_bytes integer not null
  ) strict, without rowid;
  ${CHECKSUMS}
  create table if not exists doomed (path text primary key) strict, without rowid;
  create table if not exists cutoffs (source text primary key, from_ns integer not null) strict, without rowid;
  create table if not exists retired (id integer primary key, source text not null) strict;
  create table if not exists facts (key text primary key, value integer not null) strict, without rowid;
`

export const SUMS_OF = 'select sums from checksums where path = ?'

/** The last generation that is in files, the last number of a file, and how many numbers were given to tags. */
type Fact = 'sealed' | 'sequence' | 'tags'

/** The index of the sealed files: the state as of the last sealed generation, updated in one transaction with it. */
export class IndexDb {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(path: string) {
    this.#db = new DatabaseSync(path)
    this.#db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma busy_timeout = 5000')
    this.#db.exec(SCHEMA)
  }

  close(): void {
    this.#db.close()
  }

  transaction(work: () => void): void {
    this.#db.exec('begin immediate')
    try {
      work()
      this.#db.exec('commit')
    } catch (error) {
      this.#db.exec('rollback')
      throw error
    }
  }

  fact(key: Fact): number {
    const row = this.#prepare('select value from facts where key = ?').get(key) as { value: number } | undefined
    return row?.value ?? 0
  }

  setFact(key: Fact, value: number): void {
    this.#prepare('insert or replace into facts values (?, ?)').run(key, value)
  }

  files(): SealedFact[] {
    const rows = this.#prepare('select * from files order by sequence').all()
    return rows.map((row) => ({
      path: row.path as string,
      source: row.source as string,
      day: row.day as number,
      sequence: row.sequence as number,
      rows: row.rows as number,
      sizeBytes: row.size_bytes as number
    }))
  }

  addFile({ path, source, day, sequence, rows, sizeBytes }: SealedFact): void {
    this.#prepare('insert into files values (?, ?, ?, ?, ?, ?)').run(path, source, day, sequence, rows, sizeBytes)
    this.spare(path)
  }

  /** Checksums for `FileSums`; undefined for a file of an older version that has none yet. */
  sums(path: string): Uint8Array | undefined {
    return this.#prepare(SUMS_OF).get(path)?.sums as Uint8Array | undefined
  }

  setSums(path: string, sums: Uint8Array): void {
    this.#prepare('insert or replace into checksums values (?, ?)').run(path, sums)
  }

  unsummed(): string[] {
    const rows = this.#prepare('select path from files where path not in (select path from checksums)').all()
    return rows.map(({ path }) => path as string)
  }

  hasFile(path: string): boolean {
    return this.#prepare('select 1 from files where path = ?').get(path) !== undefined
  }

  dayOf(path: string): number {
    return this.#prepare('select day from files where path = ?').get(path)?.day as number
  }

  /** Takes a file out of use; it stays listed until it is removed. */
  doom(path: string): void {
    this.#prepare('delete from files where path = ?').run(path)
    this.#prepare('insert or ignore into doomed values (?)').run(path)
  }

  /** Forgets a file that was removed. */
  forget(path: string): void {
    this.spare(path)
    this.#prepare('delete from checksums where path = ?').run(path)
  }

  spare(path: string): void {
    this.#prepare('delete from doomed where path = ?').run(path)
  }

  doomed(): string[] {
    return this.#prepare('select path from doomed')
      .all()
      .map(({ path }) => path as string)
  }

  *tags(): Iterable<{ tag: TagRecord; stats: TagStats | undefined }> {
    const statement = this.#prepare('select * from tags')
    statement.setReadBigInts(true)
    for (const row of statement.iterate()) {
      const type = TAG_TYPES[Number(row.type)] as TagType
      const tag = {
        id: Number(row.id),
        source: row.source as string,
        name: row.name as string,
        type,
        labels: JSON.parse(row.labels as string)
      }
      const stats = row.count === 0n ? undefined : statsOf(row, type)
      yield { tag, stats }
    }
  }

  addTag({ id, source, name, type, labels }: TagRecord): void {
    this.#prepare('insert or ignore into tags (id, source, name, type, labels) values (?, ?, ?, ?, ?)').run(
      id,
      source,
      name,
      TAG_TYPES.indexOf(type),
      JSON.stringify(labels)
    )
  }

  /**
   * Adds the statistics of a tag in a generation. Of two last points at the same time that of the later generation
   * counts.
   */
  addStats(id: number, { count, firstNs, lastNs, lastValue, lastExact }: TagStats): void {
    const exact = lastExact === undefined ? null : String(lastExact)
    const value = Number.isNaN(lastValue) ? null : lastValue
    this.#prepare(
      `update tags set count = count + ?1,
        first_ns = min(coalesce(first_ns, ?2), ?2),
        last_value = case when last_ns is null or ?3 >= last_ns then ?4 else last_value end,
        last_text = case when last_ns is null or ?3 >= last_ns then ?5 else last_text end,
        last_ns = max(coalesce(last_ns, ?3), ?3)
      where id = ?6`
    ).run(count, firstNs, lastNs, value, exact, id)
  }

  uncount(id: number, points: number): void {
    this.#prepare('update tags set count = max(0, count - ?) where id = ?').run(points, id)
  }

  dropSource(source: string): void {
    this.#prepare('insert or ignore into doomed select path from files where source = ?').run(source)
    this.#prepare('delete from files where source = ?').run(source)
    this.#prepare('delete from tags where source = ?').run(source)
    this.#prepare('delete from cutoffs where source = ?').run(source)
    this.#prepare('delete from retired where source = ?').run(source)
  }

  /** Deleted tags, of which files may still hold points. */
  retired(): RetiredTag[] {
    const rows = this.#prepare('select id, source from retired').all()
    return rows.map(({ id, source }) => ({ id: id as number, source: source as string }))
  }

  retire({ id, source }: RetiredTag): void {
    this.#prepare('delete from tags where id = ?').run(id)
    this.#prepare('insert or ignore into retired values (?, ?)').run(id, source)
  }

  forgetRetired(id: number): void {
    this.#prepare('delete from retired where id = ?').run(id)
  }

  cutoffs(): Map<string, bigint> {
    const statement = this.#prepare('select * from cutoffs')
    statement.setReadBigInts(true)
    return new Map(statement.all().map(({ source, from_ns }) => [source as string, from_ns as bigint]))
  }

  setCutoff(source: string, fromNs: bigint): void {
    this.#prepare('insert or replace into cutoffs values (?, ?)').run(source, fromNs)
    this.#prepare('update tags set first_ns = max(first_ns, ?2) where source = ?1').run(source, fromNs)
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#db.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

function statsOf(row: Record<string, unknown>, type: TagType): TagStats {
  const text = row.last_text as string | null
  return {
    count: Number(row.count),
    firstNs: row.first_ns as bigint,
    lastNs: row.last_ns as bigint,
    lastValue: row.last_value === null ? Number.NaN : (row.last_value as number),
    lastExact: text === null ? undefined : type === 'string' ? text : BigInt(text)
  }
}
