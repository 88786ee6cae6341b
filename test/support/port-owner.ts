import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Which of some processes talks from a port of 127.0.0.1; undefined where none does. */
export function portOwner(port: number, pids: readonly number[]): number | undefined {
  const inode = inodeOf(port)
  return inode === undefined ? undefined : pids.find((pid) => socketsOf(pid).includes(`socket:[${inode}]`))
}

/** Lines of the kernel's table: number, local address, remote address, … and tenth the inode of the socket. */
function inodeOf(port: number): string | undefined {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const lines = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  return lines.find(([, address]) => address === local)?.[9]
}

function socketsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(`${folder}/${name}`)]
    } catch {
      // It was closed meanwhile.
      return []
    }
  })
}
