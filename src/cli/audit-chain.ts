import { createAuditKeys, readAnchors, verifyAudit } from '../areas/audit/index.ts'
import type { Config } from '../config.ts'
import { anchorFile, vaultFits, WRONG_SECRET } from '../platform.ts'
import { Trouble } from './command.ts'
import { openToRead } from './metadata.ts'
import { openKnownVault } from './vault.ts'

export type Verification = Awaited<ReturnType<typeof verifyAudit>>

/** Checks the audit trail of the configured database against the server's keys and the anchors beside it. */
export async function verifyChain(config: Config): Promise<Verification> {
  const vault = openKnownVault(config)
  // Anchors are read before the rows: a newer anchor may be of a row that was not there yet.
  const anchors = readAnchors(anchorFile(config))
  const metadata = await openToRead(config)
  try {
    // With another secret every signature would look forged.
    if ((await vaultFits(metadata.db, vault)) === false) throw new Trouble(`${WRONG_SECRET}.`)
    return await verifyAudit(metadata.db, createAuditKeys(vault), anchors)
  } finally {
    await metadata.close()
  }
}

export function describeVerification({ rowsChecked, checkpointsChecked, firstBad }: Verification): string {
  if (firstBad === null) {
    return `The audit trail is whole: ${rowsChecked} rows and ${checkpointsChecked} checkpoints checked.`
  }
  const { lane, seq, id, message } = firstBad
  return `The audit trail was tampered with or damaged, first at row ${seq} of lane ${lane}${id === null ? '' : ` (${id})`}: ${message}`
}
