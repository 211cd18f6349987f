/** Elements that stay. Every other one goes with its content: scripts, styles, foreign objects, bitmaps, animations. */
export const ELEMENTS = new Set(
  `svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textPath title desc linearGradient
   radialGradient stop clipPath mask pattern marker`.split(/\s+/),
)

/** Elements that only group others. */
export const GROUPS = new Set(['a', 'switch'])

/** Properties of CSS that are attributes too, so that a picture needs no style. */
export const PROPERTIES = new Set(
  `fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap stroke-linejoin stroke-miterlimit
   stroke-dasharray stroke-dashoffset opacity color display visibility overflow clip-path clip-rule mask marker-start
   marker-mid marker-end stop-color stop-opacity font-family font-size font-style font-weight font-variant font-stretch
   letter-spacing word-spacing text-anchor text-decoration dominant-baseline alignment-baseline baseline-shift
   writing-mode paint-order vector-effect shape-rendering text-rendering color-interpolation`.split(/\s+/),
)

export const ATTRIBUTES = new Set([
  ...PROPERTIES,
  ...`id x y x1 y1 x2 y2 cx cy r rx ry fx fy fr d points width height viewBox preserveAspectRatio transform
   gradientTransform gradientUnits spreadMethod patternUnits patternContentUnits patternTransform maskUnits
   maskContentUnits clipPathUnits markerWidth markerHeight markerUnits refX refY orient offset pathLength dx dy rotate
   textLength lengthAdjust startOffset href`.split(/\s+/),
])
