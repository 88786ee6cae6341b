import packageJson from '../../../package.json' with { type: 'json' }
import { type Finding, ok, warn } from './finding.ts'

/** The version that comes with the project is the one that it was tested with. */
export function checkRuntime(version: string): Finding {
  const tested = packageJson.dependencies.node
  if (version.split('.')[0] === tested.split('.')[0]) return ok('node', version)
  return warn(
    'node',
    `${version}, but it was tested with ${tested}: start it with npm or bin/millrace, which bring that`
  )
}
