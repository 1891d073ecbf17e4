import { casesOnReference, tenStepsOnReference } from '../../../../fixtures/pytorch/in-browser.ts';

// On WebGPU: pytorch.kernels.ts, since an emulated card compiles TF.js's kernels for a minute and a half.
tenStepsOnReference('wasm');
casesOnReference('wasm');
