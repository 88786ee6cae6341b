import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const src = join(import.meta.dirname, '../../../src')

const ROUTES = 30

/** Writes areas for tests only, each with files like those of a real one, and a list of them; answers its path. */
export function writeAreas(folder: string, count: number): string {
  const names = Array.from({ length: count }, (_, index) => `made-up-${index}`)
  for (const name of names) writeArea(join(folder, name), name)
  const list = join(folder, 'list.ts')
  const imports = names.map((name, index) => `import { area as area${index} } from './${name}/area.ts'`)
  writeFileSync(list, `${imports.join('\n')}\nexport const MADE_UP = [${names.map((_, index) => `area${index}`)}]\n`)
  return list
}

function writeArea(folder: string, name: string): void {
  mkdirSync(folder, { recursive: true })
  // A relative import, as in real areas: for it Node searches nothing.
  const source = (path: string) => JSON.stringify(relative(realpathSync(folder), join(src, path)))
  const noun = name.replaceAll('-', '_')
  const codes = Array.from({ length: 5 }, (_, index) => {
    const about = 'Something of this area is not as it should be, and this says at some length what that may be.'
    return `  ${noun}_${index}: { status: 409, title: 'Not now', detail: 'Try again.', about: '${about}' }`
  })
  writeFileSync(
    join(folder, 'errors.ts'),
    `import { declareErrors } from ${source('errors.ts')}\ndeclareErrors({\n${codes.join(',\n')}\n})\n`
  )
  writeFileSync(
    join(folder, 'migrations.ts'),
    `export const migrations = [{
  id: '${name}/001-table',
  async up(db: any, type: any) {
    await db.schema.createTable('${noun}').addColumn('id', type.text, (column: any) => column.primaryKey()).execute()
  }
}]\n`
  )
  writeFileSync(
    join(folder, 'area.ts'),
    `import './errors.ts'
import { declareArea } from ${source('area.ts')}
import { wholeNumber } from ${source('env-reading.ts')}
export const area = declareArea({
  name: '${name}',
  about: 'Only in tests.',
  paths: ['/api/${name}'],
  permissions: ['${name}:read', '${name}:write'] as never[],
  settings: { '${name}': { name: '${noun.toUpperCase()}', default: '1', about: 'Only in tests', read: wholeNumber(1, 2) } },
  migrations: {
    ids: ['${name}/001-table'],
    load: async () => (await import('./migrations.ts')).migrations
  },
  jobs: { '${name}.sweep': { everyMs: 3600_000, isNeeded: async () => false } },
  checks: () => [{ name: '${name}', vital: false, run: async () => {} }],
  load: async () => (await import('./body.ts')).body
})\n`
  )
  const routes = Array.from(
    { length: ROUTES },
    (_, index) => `    read({
      path: '/${name}/route-${index}/:id',
      operationId: '${noun}${index}',
      summary: 'Read one of them',
      permission: '${name}:read' as never,
      params: Params('${name}' as never, 'id', { id: Type.String({ maxLength: 100 }) }),
      answer: Type.Object({ id: Type.String(), name: Type.String(), about: Type.String(), count: Type.Integer() })
    }, ({ params }: any) => ({ id: params.id, name: '${name}', about: 'route ${index}', count: ${index} }))`
  )
  writeFileSync(
    join(folder, 'body.ts'),
    `import { Params } from ${source('http/params.ts')}
import { read } from ${source('http/route.ts')}
import { Type } from ${source('http/type.ts')}
export const body = () => ({
  jobs: { '${name}.sweep': async () => {} },
  routes: [\n${routes.join(',\n')}\n  ]
})\n`
  )
}
