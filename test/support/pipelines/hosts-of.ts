import { readdirSync, readFileSync } from 'node:fs'

/** The processes in which a server runs pipelines, or tries them out. Linux only. */
export function hostsOf(serverPid: number, kind: 'host' | 'trial' = 'host'): number[] {
  return readdirSync(`/proc/${serverPid}/task`).flatMap((task) => {
    const children = read(`/proc/${serverPid}/task/${task}/children`).trim().split(' ').filter(Boolean).map(Number)
    return children.filter((pid) => read(`/proc/${pid}/cmdline`).includes(`pipelines/host/main.ts\0${kind}-`))
  })
}

/** The process may have ended since it was listed. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
