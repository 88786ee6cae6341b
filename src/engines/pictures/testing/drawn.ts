import { drawDashboard } from '../dashboard.ts'
import { drawPanel } from '../panel.ts'
import { DASHBOARD, EXAMPLES } from './examples.ts'
import { OPTION_EXAMPLES } from './option-examples.ts'

interface DrawnExample {
  readonly name: string
  readonly svg: string
  /** Of the PNG that is kept. */
  readonly scale: number
}

/** So that the kept file of a dashboard is no larger than the others. */
const DASHBOARD_SCALE = 0.6

/** Every example and the dashboard, light and dark; those of options are light. */
export function drawnExamples(): DrawnExample[] {
  return (['light', 'dark'] as const).flatMap((theme) => [
    ...[...EXAMPLES, ...(theme === 'light' ? OPTION_EXAMPLES : [])].map(({ name, panel, size }) => ({
      name: `${name}-${theme}`,
      svg: drawPanel(panel, size, theme),
      scale: 1
    })),
    {
      name: `dashboard-${theme}`,
      svg: drawDashboard(DASHBOARD.panels, DASHBOARD.title, DASHBOARD, theme),
      scale: DASHBOARD_SCALE
    }
  ])
}
