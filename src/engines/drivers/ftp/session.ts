import { Client, type FTPResponse } from 'basic-ftp'
import { tlsNames } from '../../brokers/guarded-socket.ts'
import type { Outbound } from '../../outbound/index.ts'
import type { FtpSettings } from './config.ts'
import { fromEntering } from './errors.ts'

const SILENCE_LIMIT_MS = 20_000

/** A connection of its own, since one does only one thing at a time. Whoever asked closes it; the signal does too. */
export async function enterFtp(settings: FtpSettings, outbound: Outbound, signal: AbortSignal): Promise<Client> {
  const { host, port, user, password, tls, ca } = settings
  const client = new Client(SILENCE_LIMIT_MS, { allowSeparateTransferHost: false })
  checkDataPorts(client, host, outbound)
  const end = () => client.close()
  signal.addEventListener('abort', end, { once: true })
  try {
    const { address } = await outbound.resolve(host, port)
    signal.throwIfAborted()
    const secureOptions = { ...tlsNames(host), ...(ca !== undefined && { ca }) }
    await client.access({ host: address, port, user, password, secure: tls, secureOptions })
    return client
  } catch (error) {
    client.close()
    signal.throwIfAborted()
    throw fromEntering(error, tls)
  }
}

/** Each transfer goes to a port that the server names, at the same address; the policy is asked about it as well. */
function checkDataPorts({ ftp }: Client, host: string, outbound: Outbound): void {
  const ask = ftp.request.bind(ftp)
  ftp.request = async (command) => {
    const answer = await ask(command)
    const port = dataPortOf(answer)
    if (port !== undefined) await outbound.resolve(host, port)
    return answer
  }
}

/** Of `229 Entering Extended Passive Mode (|||6446|)` or `227 Entering Passive Mode (192,168,1,100,10,229)`. */
function dataPortOf({ code, message: reply }: FTPResponse): number | undefined {
  if (code === 229) return Number(/[|!]{3}(\d{1,5})[|!]/.exec(reply)?.[1] ?? 0)
  const [, high, low] = (code === 227 && /(\d{1,3}),(\d{1,3})\D*$/.exec(reply)) || []
  return high === undefined ? undefined : Number(high) * 256 + Number(low)
}
