import type { Db } from '../../../engines/metadata/index.ts'
import { type Actor, can } from '../../../http/permissions.ts'
import type { AlertRuleCreate, AlertRules } from '../../alerts/index.ts'
import { Problem } from '../errors.ts'
import type { Dashboards } from '../service.ts'
import { ruleOf } from './draft.ts'
import type { PanelAlert } from './schema.ts'

interface Needs {
  readonly dashboards: Dashboards
  alerts(): Promise<{ readonly rules: AlertRules }>
}

/** Alert rules out of panels. */
export class PanelAlerts {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** The rule, checked as one that is sent to be made. */
  async draft(actor: Actor, id: string, panelId: string, asked: PanelAlert) {
    const permission = 'alerts:write'
    if (!can(actor, permission)) throw new Problem('permission_denied', { members: { permission } })
    const { content } = await this.#needs.dashboards.shown(actor, id)
    const panel = content.panels.find((each) => each.id === panelId)
    if (panel === undefined) throw new Problem('not_found')
    const body = ruleOf(panel, content.name, asked)
    const { rules } = await this.#needs.alerts()
    await rules.requireClearance(actor, body)
    return { rules, body }
  }

  create(tx: Db, actor: Actor, { rules, body }: { rules: AlertRules; body: AlertRuleCreate }) {
    return rules.create(tx, actor, body)
  }
}
