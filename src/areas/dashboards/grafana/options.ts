import { PANEL_FACTS } from '../model/panel-types.ts'
import type { PanelOptions } from '../model/schema.ts'
import type { PanelType } from '../model/words.ts'
import { entryOf, type Fields, listOf, numberOf, objectOf, objectsOf, shortened, textOf } from './reading.ts'
import type { Notes } from './report.ts'
import { thresholdsOf } from './thresholds.ts'
import { unitOf } from './units.ts'

const MAX_UNIT_CHARS = 32

const REDUCED: Readonly<Record<string, NonNullable<PanelOptions['reduce']>>> = {
  last: 'last',
  lastNotNull: 'last',
  current: 'last',
  first: 'first',
  firstNotNull: 'first',
  min: 'min',
  max: 'max',
  mean: 'avg',
  avg: 'avg',
  sum: 'sum',
  total: 'sum',
  count: 'count'
}

/** What a panel of a type is drawn with, as far as that type understands it. */
export function optionsOf(panel: Fields, type: PanelType, notes: Notes): PanelOptions {
  const all: PanelOptions = { ...numbers(panel, notes), ...curves(panel, notes), ...single(panel, type, notes) }
  const known = PANEL_FACTS[type].options
  const entries = Object.entries(all).filter(([name]) => known.some((each) => each === name))
  return Object.fromEntries(entries)
}

/** Where panels of one time or another have kept how a number is shown. */
function numberFields(panel: Fields): Fields {
  const options = objectOf(panel.options)
  const axis = objectOf(listOf(panel.yaxes)[0])
  const gauge = objectOf(panel.gauge)
  const grid = objectOf(panel.grid)
  return {
    unit: listOf(panel.y_formats)[0] ?? axis.format ?? panel.format ?? panel.unit,
    decimals: axis.decimals ?? panel.decimals,
    min: axis.min ?? (gauge.show === true ? gauge.minValue : undefined) ?? grid.leftMin,
    max: axis.max ?? (gauge.show === true ? gauge.maxValue : undefined) ?? grid.leftMax,
    ...present({ min: options.minValue, max: options.maxValue }),
    ...present(objectOf(options.valueOptions)),
    ...present(objectOf(objectOf(options.fieldOptions).defaults)),
    ...present(objectOf(objectOf(panel.fieldConfig).defaults))
  }
}

function present(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== '')
  )
}

function numbers(panel: Fields, notes: Notes): PanelOptions {
  const fields = numberFields(panel)
  const decimals = numberOf(fields.decimals)
  const [min, max] = [numberOf(fields.min), numberOf(fields.max)]
  const isRange = min === undefined || max === undefined || min < max
  const isLogarithmic = isLog(panel)
  if (!isRange) notes.add(`The ends ${min} and ${max} of its axis are left out: the lower one must be less.`)
  const unit = unitText(textOf(fields.unit), notes)
  const thresholds = thresholdsOf(panel, notes)
  if (objectsOf(fields.mappings).length > 0) notes.add('Values are shown as they are: mappings to texts are left out.')
  if (objectsOf(fields.links).length > 0) notes.add('Links of values are left out.')
  return {
    ...(unit !== '' && { unit }),
    ...(decimals !== undefined && { decimals: Math.min(12, Math.max(0, Math.round(decimals))) }),
    ...(isRange && min !== undefined && !(isLogarithmic && min <= 0) && { min }),
    ...(isRange && max !== undefined && { max }),
    ...(thresholds !== undefined && { thresholds })
  }
}

function unitText(name: string, notes: Notes): string {
  const unit = unitOf(name)
  if (name === 'percentunit') notes.add('Shares from 0 to 1 are shown as such, not as percent.')
  if (unit === undefined) notes.add(`The unit ${name} is not known here.`)
  return unit === undefined ? '' : shortened(unit, MAX_UNIT_CHARS)
}

function curves(panel: Fields, notes: Notes): PanelOptions {
  const { custom: given } = objectOf(objectOf(panel.fieldConfig).defaults)
  const custom = objectOf(given)
  const stacking = textOf(objectOf(custom.stacking).mode) || textOf(objectOf(panel.options).stacking)
  if (stacking === 'percent' || panel.percentage === true)
    notes.add('Values are stacked as they are, not as percentages of their sum.')
  const isStacked = ['normal', 'percent'].includes(stacking) || panel.stack === true
  const legend = legendOf(panel)
  if (panel.nullPointMode === 'null as zero') notes.add('Missing values are left out, not drawn as zero.')
  return {
    ...(legend !== undefined && { legend }),
    ...(isStacked && { stacked: true }),
    ...(isLog(panel) && { logarithmic: true }),
    ...((custom.spanNulls === true ||
      numberOf(custom.spanNulls) !== undefined ||
      panel.nullPointMode === 'connected') && {
      connectNulls: true
    })
  }
}

function isLog(panel: Fields): boolean {
  const { custom } = objectOf(objectOf(panel.fieldConfig).defaults)
  const logBase = numberOf(objectOf(listOf(panel.yaxes)[0]).logBase)
  return textOf(objectOf(objectOf(custom).scaleDistribution).type) === 'log' || (logBase !== undefined && logBase > 1)
}

/** `bottom` is what a panel has where nothing is said. */
function legendOf(panel: Fields): 'none' | 'right' | undefined {
  const legend = objectOf(objectOf(panel.options).legend)
  const old = objectOf(panel.legend)
  if (legend.showLegend === false || textOf(legend.displayMode) === 'hidden' || old.show === false) return 'none'
  return textOf(legend.placement) === 'right' || old.rightSide === true ? 'right' : undefined
}

/** Of panels that make one number of a series, and of tables. */
function single(panel: Fields, type: PanelType, notes: Notes): PanelOptions {
  const options = objectOf(panel.options)
  const old = objectOf(options.fieldOptions)
  const named = textOf(listOf(objectOf(options.reduceOptions).calcs)[0] ?? listOf(old.calcs)[0])
  const calc = named || textOf(objectOf(options.valueOptions).stat) || textOf(panel.valueName)
  const isReduced = type === 'stat' || type === 'gauge' || textOf(panel.type) === 'bargauge'
  const reduce = entryOf(REDUCED, calc)
  if (isReduced && calc !== '' && reduce === undefined) notes.add(`It shows the last value: ${calc} is not known here.`)
  if (objectOf(options.reduceOptions).values === true) notes.add('It shows one number of each series, not all values.')
  const isSparkline = textOf(options.graphMode) === 'area' || objectOf(panel.sparkline).show === true
  const pageRows = numberOf(panel.pageSize)
  return {
    ...(isReduced && reduce !== undefined && reduce !== 'last' && { reduce }),
    ...(isSparkline && { sparkline: true }),
    ...(textOf(options.orientation) === 'horizontal' && { horizontal: true }),
    ...(pageRows !== undefined && pageRows >= 1 && { pageRows: Math.min(1000, Math.round(pageRows)) })
  }
}
