/**
 * The seed by which the testbed's authors chose their probe instances (Toshniwal et al. 2022). Every choice of instances
 * here begins with it, so that all models are asked the same, and what they asked can be asked again.
 */
export const INSTANCE_SEED = 42;
