import { tenStepsOnReference } from '../../../../fixtures/pytorch/in-browser.ts';

/**
 * The reference on WebGPU: npm run test:kernels. In `npm test` the slopes of its operations (gradients.browser.test.ts)
 * and the kinds of model that have no other engine there (row-kinds.browser.test.ts) hold it.
 */
tenStepsOnReference('webgpu');
