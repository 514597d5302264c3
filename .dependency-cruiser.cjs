/**
 * The import arrows of the house, as lint errors. `import type` counts like any import.
 * Read with the project, or any tree of the same layout, as the working folder.
 */

/** What each room under src/ may import, besides itself and packages. */
const ARROWS = {
  app: ['engine', 'model', 'data', 'problem'],
  cli: ['engine', 'model', 'data', 'problem'],
  engine: ['solver', 'backend', 'model', 'data', 'problem'],
  solver: ['problem', 'backend', 'data'],
  model: ['data', 'problem'],
  backend: [],
  data: [],
  problem: [],
};

const arrows = Object.entries(ARROWS).map(([room, allowed]) => ({
  name: `arrow-${room}`,
  comment: `src/${room} may import from ${allowed.join(', ') || 'no other room'} only.`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: { path: '^src/', pathNot: `^src/(${[room, ...allowed].join('|')})/` },
}));

module.exports = {
  forbidden: [
    ...arrows,
    {
      name: 'no-circular',
      comment:
        'Files that import one another, directly or round a corner, cannot be understood one at a time.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'every-source-in-a-room',
      comment: `A file under src/ lies in one of the rooms ${Object.keys(ARROWS).join(', ')}.`,
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/(${Object.keys(ARROWS).join('|')})/` },
      to: {},
    },
    {
      name: 'no-tests-in-sources',
      comment: 'Nothing outside test/, e2e/ and bench/ imports from them.',
      severity: 'error',
      from: { pathNot: '^(test|e2e|bench)/' },
      to: { path: '^(test|e2e|bench)/' },
    },
    {
      name: 'runs-anywhere',
      comment: 'src/data and src/problem run in a page, a worker and Node alike: no Node modules.',
      severity: 'error',
      from: { path: '^src/(data|problem)/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-development-packages',
      comment: 'Only Dawn, the development stand-in for a browser in Node, and types may be devDependencies.',
      severity: 'error',
      from: { path: '^src/' },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: '^node_modules/(webgpu|@types)/',
      },
    },
    {
      name: 'resolvable',
      comment:
        'The imported file or package does not exist. (plotly.js is known by its types alone, from @types.)',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^plotly\\.js$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist/|src/backend/wasm/assembly/)' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
