export { createAuditKeys } from './chain.ts'
export { readAnchors } from './checkpoints.ts'
export { createAuditTrail } from './trail.ts'
export { verifyAudit } from './verify.ts'
