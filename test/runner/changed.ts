import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { reaches } from '../support/imports.ts'

/** Everything hangs on these, and imports do not tell. */
const CONCERNS_ALL = ['package.json', 'package-lock.json', 'tsconfig.json']

/** Paths that differ from where this branch left `main`, whether committed or not. */
export function changedPaths(root: string): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  const [base] = git('merge-base', 'HEAD', branch(root))
  return [...git('diff', '--name-only', base as string), ...git('ls-files', '--others', '--exclude-standard')]
}

function branch(root: string): string {
  const names = ['main', 'origin/main']
  const found = names.find((name) => {
    try {
      execFileSync('git', ['rev-parse', '--verify', '--quiet', name], { cwd: root, stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })
  if (found === undefined) throw new Error('There is no branch main to compare with: git fetch origin main')
  return found
}

/** The test files that a change may matter to. */
export function concerned(root: string, files: readonly string[], changed: readonly string[]): string[] {
  if (changed.some((path) => CONCERNS_ALL.includes(path))) return [...files]
  const paths = new Set(changed.map((path) => join(root, path)))
  return files.filter((file) => reaches(join(root, file), paths, root))
}
