import { nodeDevices } from '../../../../fixtures/parity/devices.ts';
import { parityTests } from '../../../../fixtures/parity/suite.ts';
import { attentionCases } from './cases.ts';

parityTests(attentionCases(), nodeDevices);
