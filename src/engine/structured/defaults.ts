/** The solver's defaults, for the faces, which may not import the solver. */
export { DEFAULTS as STRUCTURED_DEFAULTS } from '../../solver/structured/settings.ts';
