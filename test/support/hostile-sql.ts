/** What statements could name in a database. */
export interface Catalogue {
  /** Functions for expressions. */
  readonly functions: readonly string[]
  readonly tableFunctions: readonly string[]
  readonly views: readonly string[]
  readonly settings: readonly string[]
  readonly types: readonly string[]
  /** Relations and files that are not to be read, as names and as texts. */
  readonly forbidden: readonly string[]
  /** Relations that may be read. */
  readonly relations: readonly string[]
  /** Functions that are allowed, which are called more often so that something runs. */
  readonly harmless: readonly string[]
  readonly harmlessTableFunctions: readonly string[]
}

const COLUMNS = ['a', 'b', 'n', 'l', 's', 'k', 'user', 'current_schema', 'rowid', 'filename']
const SCHEMAS = [
  'main',
  'system.main',
  'pg_catalog',
  '"MAIN"',
  'temp',
  'memory.main',
  'information_schema',
  'p12',
  'recurring'
]
/** Expressions that are valid over any of the relations, so that statements with them run. */
const SOUND = [
  'upper(b)',
  'n + 1',
  'l[1]',
  'len(l)',
  'concat(a, b)',
  'k.x',
  'coalesce(a, n)',
  'b.upper()',
  'to_json(k)',
  'x',
  'r1.a'
]
const KELVIN = '\u212a'

/** Statements that DuckDB's grammar and a catalogue allow, drawn by a seed: most are harmless, many are not, some are no SQL. */
export class HostileSql {
  readonly #catalogue: Catalogue
  #state: number

  constructor(catalogue: Catalogue, seed: number) {
    this.#catalogue = catalogue
    this.#state = seed >>> 0
  }

  statement(): string {
    return this.#query(3, this.#catalogue.relations)
  }

  expression(): string {
    return this.#expression(3, [])
  }

  #query(depth: number, scope: readonly string[]): string {
    if (depth <= 0) return this.#select(0, scope)
    switch (this.#below(12)) {
      case 0:
      case 1:
      case 2:
        return this.#with(depth - 1, scope)
      case 3:
        return `${this.#enclosed(depth, scope)} ${this.#of('UNION ALL', 'UNION', 'EXCEPT', 'INTERSECT', 'UNION ALL BY NAME')} ${this.#enclosed(depth, scope)}`
      case 4:
        return `${this.#of('DESCRIBE', 'SUMMARIZE', 'SHOW', 'DESCRIBE SELECT * FROM', 'FROM', 'TABLE')} ${this.#relation(0, scope)}`
      case 5:
        return `PIVOT ${this.#relation(depth - 1, scope)} ON ${this.#of(...COLUMNS)} IN (1, ${this.#expression(0, scope)}) USING ${this.#of('count(*)', 'max(a)')}`
      default:
        return this.#select(depth, scope)
    }
  }

  #enclosed(depth: number, scope: readonly string[]): string {
    return this.#chance(3) ? `(${this.#query(depth - 1, scope)})` : this.#select(depth - 1, scope)
  }

  /** A WITH whose names may hide others, be spelt differently, or be used out of scope. */
  #with(depth: number, scope: readonly string[]): string {
    const names = Array.from({ length: 1 + this.#below(3) }, () => this.#partName())
    const isRecursive = this.#chance(4)
    const parts = names.map((name, place) => {
      const seen = this.#chance(6) ? [...scope, ...names] : [...scope, ...names.slice(0, place)]
      const query = isRecursive
        ? `SELECT 1 AS a UNION ${this.#of('', 'ALL')} (${this.#select(depth - 1, [...seen, name])} LIMIT 3)`
        : this.#query(depth - 1, seen)
      const kind = this.#of('', '', 'MATERIALIZED', 'NOT MATERIALIZED')
      return `${name}${this.#chance(8) ? '(a)' : ''} AS ${kind} (${query})`
    })
    const rest = this.#query(depth, [...scope, ...names])
    const whole = `WITH ${isRecursive ? 'RECURSIVE' : ''} ${parts.join(', ')} ${rest}`
    // Uses a name of the WITH outside of it, too.
    return this.#chance(6) ? `SELECT * FROM (${whole}) x, ${this.#respelt(this.#from(names))}` : whole
  }

  #partName(): string {
    const { forbidden, views } = this.#catalogue
    if (this.#chance(4)) return this.#quoted(this.#respelt(this.#from(forbidden)))
    if (this.#chance(10)) return this.#from(views)
    return this.#of('x', 'y', 'Z', '"k"', `"${KELVIN}"`, 'recurring', 'main')
  }

  #select(depth: number, scope: readonly string[]): string {
    const from = this.#chance(8) ? '' : `FROM ${this.#relations(depth, scope)}`
    const list = this.#chance(3) ? '*' : this.#item(depth, scope)
    const rest = [
      this.#chance(4) ? `WHERE ${this.#expression(depth - 1, scope)} IS NOT NULL` : '',
      this.#chance(10) ? 'GROUP BY ALL' : '',
      this.#chance(10) ? `ORDER BY ${this.#expression(depth - 1, scope)}` : '',
      this.#chance(6) ? 'LIMIT 5' : '',
      this.#chance(30) ? 'USING SAMPLE 3 ROWS' : ''
    ]
    return this.#chance(8) && from !== '' ? `${from} SELECT ${list}` : `SELECT ${list} ${from} ${rest.join(' ')}`
  }

  #item(depth: number, scope: readonly string[]): string {
    if (this.#chance(5)) return this.#of('*', "COLUMNS('.*')", 'COLUMNS(c -> c = c)', '* EXCLUDE (a)', '#1')
    if (this.#chance(15)) return `* REPLACE (${this.#expression(depth - 1, scope)} AS a)`
    return `${this.#expression(depth, scope)} AS ${this.#of('a', 'b', 'c')}`
  }

  #relations(depth: number, scope: readonly string[]): string {
    const first = this.#relation(depth, scope)
    if (!this.#chance(4)) return first
    const join = this.#of(',', 'CROSS JOIN', 'POSITIONAL JOIN', ', LATERAL', 'NATURAL JOIN', 'SEMI JOIN')
    const on = join === 'SEMI JOIN' ? 'ON true' : ''
    const second = join === ', LATERAL' ? `(${this.#select(depth - 1, scope)})` : this.#relation(depth - 1, scope)
    return `${first} r1 ${join} ${second} r2 ${on}`
  }

  #relation(depth: number, scope: readonly string[]): string {
    const { forbidden, views, tableFunctions, harmlessTableFunctions } = this.#catalogue
    switch (this.#below(24)) {
      case 0:
        return this.#quoted(this.#respelt(this.#from(forbidden)))
      case 1:
        return `'${this.#from(forbidden)}'`
      case 2:
        return `${this.#of(...SCHEMAS)}.${this.#from([...scope, ...views, ...forbidden.map((name) => this.#quoted(name))])}`
      case 3:
        return `${this.#qualifier()}${this.#respelt(this.#from(tableFunctions))}(${this.#arguments(depth, scope)})`
      case 4:
      case 5:
      case 6:
        return `${this.#from(harmlessTableFunctions)}(${this.#of('3', '[1, 2]', "'{}'", '1, 2', `(FROM ${this.#from(scope)})`)})`
      case 7:
        return `(${this.#query(depth - 1, scope)})`
      case 8:
        return `(VALUES (${this.#expression(depth - 1, scope)}))`
      case 9:
        return `${this.#from(scope)} ${this.#of('AT (VERSION => 1)', 'TABLESAMPLE 50%', 'TABLESAMPLE 1 ROWS')}`
      case 10:
        return this.#respelt(this.#from(scope))
      case 11:
        return this.#from(views)
      default:
        return this.#from(scope)
    }
  }

  #expression(depth: number, scope: readonly string[]): string {
    if (depth <= 0) return this.#leaf()
    const inner = () => this.#expression(depth - 1, scope)
    if (this.#chance(2)) return this.#of(...SOUND)
    switch (this.#below(22)) {
      case 0:
        return `(${this.#of('', 'EXISTS', '1 IN', 'array')} (${this.#query(depth - 1, scope)}${this.#of('', ' LIMIT 1')}))`
      case 1:
        return `${this.#qualifier()}${this.#respelt(this.#from(this.#catalogue.functions))}(${this.#arguments(depth, scope)})`
      case 2:
        return `list_transform(${this.#of('l', '[1, 2]')}, ${this.#of('lambda x: ', 'x -> ')}${inner()})`
      case 3:
        return `[${inner()} FOR x IN [1, 2] IF ${inner()} IS NOT NULL]`
      case 4:
        return `${this.#of('CAST', 'TRY_CAST')}(${inner()} AS ${this.#of('', '', '', 'main.')}${this.#from(this.#catalogue.types)})`
      case 5:
        return `${this.#of('sum', 'max', 'row_number', 'first', 'list')}(${this.#of('', inner())}) OVER (ORDER BY ${inner()})`
      case 6:
        return `CASE WHEN ${inner()} IS NULL THEN ${inner()} ELSE ${inner()} END`
      case 7:
        return `{x: ${inner()}, y: ${inner()}}`
      case 8:
        return `${this.#leaf()}.${this.#respelt(this.#from(this.#catalogue.functions))}()`
      case 9:
        return `(${inner()} ${this.#of('||', '+', '=', 'LIKE', 'IS DISTINCT FROM', '->>')} ${inner()})`
      case 10:
        return `TRY(${inner()})`
      default:
        return `${this.#from(this.#catalogue.harmless)}(${this.#arguments(depth, scope)})`
    }
  }

  #arguments(depth: number, scope: readonly string[]): string {
    const { forbidden } = this.#catalogue
    if (this.#chance(6)) return `'${this.#from(forbidden)}', ${this.#of('a', 'a', ...COLUMNS)}`
    if (this.#chance(5)) return `'${this.#from(this.#chance(2) ? forbidden : this.#catalogue.settings)}'`
    if (this.#chance(8)) return `'FROM ${this.#from(forbidden)}'`
    return Array.from({ length: this.#below(4) }, () => this.#expression(depth - 1, scope)).join(', ')
  }

  #leaf(): string {
    const { settings, forbidden } = this.#catalogue
    if (this.#chance(12)) return `'${this.#from(this.#chance(2) ? settings : forbidden)}'`
    return this.#of(
      ...COLUMNS,
      ...COLUMNS,
      '1',
      '2',
      "'x'",
      "'FROM input'",
      'NULL',
      '[1, 2]',
      "DATE '2026-01-01'",
      'true',
      "'{}'"
    )
  }

  #qualifier(): string {
    return this.#chance(4) ? `${this.#of(...SCHEMAS)}.` : ''
  }

  /** The name in another case, in quotes, or with letters that only look alike. */
  #respelt(name: string): string {
    if (this.#chance(3)) return [...name].map((letter) => (this.#chance(2) ? letter.toUpperCase() : letter)).join('')
    if (this.#chance(8)) return name.replace('k', KELVIN)
    return this.#chance(6) && /^\w+$/.test(name) ? `"${name}"` : name
  }

  #quoted(name: string): string {
    return /^"|^\w+$/.test(name) ? name : `"${name}"`
  }

  #of(...choices: readonly string[]): string {
    return this.#from(choices)
  }

  #from(choices: readonly string[]): string {
    return choices[this.#below(choices.length)] ?? 'nothing'
  }

  #chance(oneIn: number): boolean {
    return this.#below(oneIn) === 0
  }

  /** mulberry32: small, fast, and the same everywhere. */
  #below(count: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count
  }
}
