/**
 * How weights are stored: in 32 bits; all matrices in 16; the matrices of the layers in 8. Each computes in 32 bits. Products
 * of whole numbers, as quantize_dynamic of onnxruntime makes them, were rejected (docs/log.md): they change the answers
 * four times as much and are no faster for models of this size. DequantizeLinear was as well: it is computed again with
 * every token, and onnxruntime 1.30 for Python answers otherwise with it than onnxruntime-web.
 */
export const ONNX_TYPES = ['f32', 'f16', 'q8'] as const;
export type OnnxType = (typeof ONNX_TYPES)[number];

/** Where transformers.js looks for a model by the data type that it is asked for, and what it calls that type. */
export const ONNX_FILES: Record<OnnxType, { file: string; dtype: string }> = {
  f32: { file: 'onnx/model.onnx', dtype: 'fp32' },
  f16: { file: 'onnx/model_fp16.onnx', dtype: 'fp16' },
  q8: { file: 'onnx/model_quantized.onnx', dtype: 'q8' },
};
