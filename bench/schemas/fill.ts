import { DatabaseSync } from 'node:sqlite'

/** Puts schemas with one version each into a database that nothing else has open: by HTTP it would take minutes. */
export function fillRegistry(file: string, count: number, textOf: (field: string) => string): void {
  const db = new DatabaseSync(file)
  const schema = db.prepare(
    `INSERT INTO schemas (id, name, type, description, tags, last_number, version, created_by, created_at, updated_at)
     VALUES (?, ?, 'avro', '', '[]', 1, 1, 'usr_bench', ?, ?)`
  )
  const content = db.prepare(
    `INSERT INTO schema_contents (id, type, fingerprint, text, refers_to) VALUES (?, 'avro', ?, ?, '[]')`
  )
  const version = db.prepare(
    `INSERT INTO schema_versions (schema_id, number, content_id, state, metadata, revision, created_by, created_at)
     VALUES (?, 1, ?, 'enabled', '{}', 1, 'usr_bench', ?)`
  )
  const now = new Date().toISOString()
  db.exec('BEGIN')
  for (let n = 1; n <= count; n++) {
    const id = `sch_bench${n}`
    schema.run(id, `bench-${n}`, now, now)
    content.run(n, `fingerprint ${n}`, textOf(`field_${n}`))
    version.run(id, n, now)
  }
  db.exec(`UPDATE schema_settings SET last_content = ${count}`)
  db.exec('COMMIT')
  db.close()
}
