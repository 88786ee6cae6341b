import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, matchesGlob } from 'node:path'
import { describe, it } from 'node:test'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

describe('the tree', () => {
  it('has fewer than 150 files for schemas, the area and the engine together, so that one person can know them all', () => {
    const found = globSync('src/{areas,engines}/schemas/**', { cwd: root, withFileTypes: true })
    const files = found.filter((entry) => entry.isFile()).length
    assert.ok(files > 0)
    assert.ok(files < 150, `there are ${files}: join some before you add another`)
  })

  it('has no file that is too long to be read at once', () => {
    const limits = [
      { of: 'src/**/*.{ts,js}', not: /\.test\.ts$|\/testing\//, lines: 300 },
      { of: 'src/**/{*.test.ts,testing/**/*.ts}', not: /^$/, lines: 400 },
      { of: '{test,bench,scripts}/**/*.ts', not: /^$/, lines: 400 }
    ]
    /** Tables of definitions, which are looked up rather than read. */
    const tables = /[/-](errors|rules|rows|schema|migrations)\.ts$/
    const long = limits.flatMap(({ of, not, lines }) =>
      globSync(of, { cwd: root })
        .filter((path) => !not.test(path))
        .map((path) => ({ path, lines: read(path).split('\n').length - 1, limit: tables.test(path) ? 500 : lines }))
        .filter((file) => file.lines > file.limit)
    )
    assert.deepEqual(long, [])
  })

  it('recognises errors by their text only in files that are about that', () => {
    /** These look whether a sentence for users names something already. */
    const wording = [
      'src/areas/pipelines/supervisor/gateway.ts',
      'src/areas/storage/checks/failure.ts',
      'src/areas/schemas/schema-problems.ts'
    ]
    const byText =
      /\b(?:message|cause|reason)\b[^\n;]{0,12}\.(?:includes|startsWith|match|search)\(|\.(?:test|exec)\((?:String\()?[\w.?]*\b(?:message|cause|reason)\b/
    const found = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', '**/testing/**', '**/*errors.ts'] })
      .filter((path) => !wording.includes(path))
      .filter((path) =>
        read(path)
          .split('\n')
          .some((line) => byText.test(line))
      )
    assert.deepEqual(found, [], 'give the error a code, or sort those of a library in the errors.ts of its engine')
  })
})

describe('the words of CONTRIBUTING.md', () => {
  const [, section = ''] = read('CONTRIBUTING.md').split('## Words\n')
  const rows = [...(section.split('\n## ', 1)[0] ?? '').matchAll(/^\| (\w+) +\| [^|]+\| (.+?) +\|$/gm)].slice(1)
  const words = new Map(
    rows.map(([, word = '', places = '']) => [
      word,
      [...places.matchAll(/`([^`]+)`/g)].map(([, place]) => place as string)
    ])
  )

  it('are at most 40', () => assert.ok(words.size > 20 && words.size <= 40, `${words.size}`))

  it('are used for nothing else as the name of a file or a type', () => {
    const elsewhere: string[] = []
    const used = new Set<string>()
    for (const path of globSync('src/**/*.{ts,js}', { cwd: root })) {
      const folder = dirname(path).slice('src/'.length) || '.'
      for (const name of namesOf(path)) {
        for (const word of wordsIn(name)) {
          const places = words.get(word)
          if (places === undefined) continue
          used.add(word)
          if (
            !places.some((place) =>
              matchesGlob(`${folder}/x`.replace(/^\.\//, ''), `${place.replace(/^\*$/, '')}/x`.replace(/^\//, ''))
            )
          )
            elsewhere.push(`${word}: ${name} in ${path}`)
        }
      }
    }
    assert.deepEqual(elsewhere, [], 'take another word for it, or tell where the word is used in CONTRIBUTING.md')
    assert.deepEqual(
      [...words.keys()].filter((word) => !used.has(word)),
      [],
      'no name holds these'
    )
  })
})

/** Of a file: its own name, and those of its types and classes. */
function namesOf(path: string): string[] {
  const types = read(path).matchAll(/^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)/gm)
  return [basename(path).replace(/\..*$/, ''), ...[...types].map(([, name]) => name as string)]
}

/** Small, as they stand and in the singular: `DeadLetters` is dead, letters, letter. */
function wordsIn(name: string): string[] {
  const words = (name.match(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase())
  return words.flatMap((word) => (word.endsWith('s') ? [word, word.slice(0, -1)] : [word]))
}

describe('the ways in docs/ARCHITECTURE.md', () => {
  const sections = read('docs/ARCHITECTURE.md').split(/^## /m)
  for (const title of ['The way of a pipeline that is started', 'The way of a point to the disk']) {
    it(`holds: ${title.toLowerCase()}`, () => {
      const section = sections.find((text) => text.startsWith(title))
      const steps = [...(section ?? '').matchAll(/^\d+\. `(src\/[^`]+)`(.*)$/gm)]
      assert.ok(steps.length > 10)
      const passed: string[] = []
      for (const [, path = '', said = ''] of steps) {
        assert.ok(existsSync(join(root, path)), `${path} is not there`)
        const isReached = passed.some((earlier) => isNamedIn(path, earlier))
        assert.ok(passed.length === 0 || isReached, `nothing above leads to ${path}`)
        for (const [, named = ''] of said.matchAll(/`([^`]+)`/g)) {
          assert.ok(read(path).includes(named), `${path} has no ${named}`)
        }
        passed.push(path)
      }
    })
  }
})

/** Whether a file imports another, or starts it as a thread or a process. */
function isNamedIn(path: string, importer: string): boolean {
  const named = [...read(importer).matchAll(/(?:from|import|import\(|new URL\()\s*'(\.[^']+)'/g)]
  return named.some(([, relative]) => join(dirname(importer), relative as string) === path)
}
