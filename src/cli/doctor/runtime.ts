import packageJson from '../../../package.json' with { type: 'json' }
import { type Finding, ok, warn } from '../../finding.ts'
import { serverLimits } from '../../http/limits.ts'

/** The version that comes with the project is the one that it was tested with. */
export function checkRuntime(version: string): Finding {
  const tested = packageJson.dependencies.node
  if (version.split('.')[0] === tested.split('.')[0]) return ok('node', version)
  return warn(
    'node',
    `${version}, but it was tested with ${tested}: start it with npm or bin/millrace, which bring that`
  )
}

const FEW_DESCRIPTORS = 4096

/** Connections, files of objects and points, and the pipes of processes are all counted against the same limit. */
export function checkDescriptors(limit: number): Finding {
  const { connections } = serverLimits(limit)
  const effect = `${limit} open files, so that there are at most ${connections} connections`
  if (limit >= FEW_DESCRIPTORS) return ok('open files', effect)
  return warn('open files', `${effect}: raise it for more clients (ulimit -n, or LimitNOFILE of the service)`)
}
