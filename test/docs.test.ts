// Once: documents.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import '../src/areas.ts'
import { allSettings } from '../src/config.ts'
import { ERRORS } from '../src/errors.ts'

const root = join(import.meta.dirname, '..')
const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).map((name) => ({
  name,
  text: readFileSync(join(root, name), 'utf8')
}))
const readme = documents.find(({ name }) => name === 'README.md')?.text as string
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

describe('the documents', () => {
  it('name only files and folders that exist', () => {
    let found = 0
    for (const { name, text } of documents) {
      for (const path of pathsIn(text)) {
        assert.ok(existsSync(join(root, path)), `${name} names ${path}, which does not exist`)
        found++
      }
    }
    assert.ok(found > 50, `only ${found} paths were recognised`)
  })

  it('link only to what exists', () => {
    for (const { name, text } of documents) {
      for (const [, target = ''] of text.matchAll(/\]\(([^)]+)\)/g)) {
        if (/^https:/.test(target)) continue
        if (target.startsWith('#')) {
          assert.match(text, new RegExp(`^## \\W*${target.slice(1)}\\W*$`, 'm'), `${name} has no heading ${target}`)
          continue
        }
        assert.ok(existsSync(join(root, dirname(name), target)), `${name} links to ${target}, which does not exist`)
      }
    }
  })

  it('name only npm scripts that exist', () => {
    for (const { name, text } of documents) {
      for (const [, named, short] of text.matchAll(/npm (?:run (?:-s )?([\w:-]+)|(start|test)\b)/g)) {
        const script = named ?? short ?? ''
        assert.ok(Object.hasOwn(scripts, script), `${name} names the npm script ${script}, which does not exist`)
      }
    }
  })
})

describe('the page of errors', () => {
  it('has a section for every code, those of areas too', () => {
    const page = documents.find(({ name }) => name === 'docs/errors.md')?.text as string
    const codes = [...page.matchAll(/^## (\w+)$/gm)].map(([, code]) => code as string)
    assert.deepEqual(codes.sort(), Object.keys(ERRORS).sort(), 'npm run errors-doc')
  })
})

describe('the README', () => {
  it('lists the areas that there are', () => {
    const areas = tableUnder('# Millrace').map(([name]) => name)
    assert.deepEqual(areas.sort(), readdirSync(join(root, 'src/areas')).sort())
  })

  it('names every guide to read on once', () => {
    const named = [...(readme.split('## Read on')[1] ?? '').matchAll(/^- \[([^\]]+)\]/gm)].map(
      ([, name]) => name as string
    )
    const guides = globSync('docs/*.md', { cwd: root })
    assert.deepEqual(named.filter((name) => /^docs\/.*\.md$/.test(name)).sort(), guides.sort())
  })

  it('lists every setting with its default and meaning', () => {
    const settings = tableUnder('## Configuration').map(([name, value, about]) => ({ name, default: value, about }))
    const declared = allSettings().map((setting) => ({ ...setting }))
    for (const [index, { name, default: value, about }] of declared.entries()) {
      const row = `| \`${name}\` | ${value === '' ? '' : `\`${value}\``} | ${about} |`
      const place = index === 0 ? 'at the top' : `after ${declared[index - 1]?.name}`
      assert.deepEqual(
        settings[index],
        declared[index],
        `README.md, table under "Configuration": ${place} there must be the row ${row}`
      )
    }
    assert.equal(settings.length, declared.length, `README.md has settings that no area declares`)
  })

  it('lists the commands that the command line lists', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['src/cli/main.js', '--help'], { cwd: root })
    const commands = [...stdout.matchAll(/^ {2}(\S+(?: \S+)*) {2,}\S/gm)].map(([, name]) => name)
    assert.deepEqual(
      tableUnder('## Command line').map(([name]) => name),
      commands
    )
  })
})

/** Paths below the folders of the project, and files at its top in backticks, wherever they stand in a document. */
function pathsIn(text: string): string[] {
  const below = text.matchAll(/(?<![\w/.-])(?:src|test|scripts|docs|bench|bin|resources|\.ci)\/[\w./-]*\w(?![\w<*])/g)
  const top = text.matchAll(/`((?:[\w-]+\.(?:json|md|yaml))|\.npmrc|Dockerfile|LICENSE)`/g)
  return [...[...below].map(([path]) => path), ...[...top].map(([, path]) => path as string)]
}

/** The cells of the first table below a heading, without backticks around a whole cell. */
function tableUnder(heading: string): string[][] {
  const [, after = ''] = `\n${readme}`.split(`\n${heading}\n`)
  const lines = after.split('\n')
  const from = lines.findIndex((line) => /^\|\s*---/.test(line)) + 1
  const rows = lines.slice(from, lines.indexOf('', from))
  return rows.map((row) => {
    const cells = row.slice(1, -1).split('|')
    return cells.map((cell) => cell.trim().replace(/^`([^`]*)`$/, '$1'))
  })
}
