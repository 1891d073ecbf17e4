import { nodeDevices } from '../../../../fixtures/parity/devices.ts';
import { parityTests } from '../../../../fixtures/parity/suite.ts';
import { recurrenceCases } from './cases.ts';

parityTests(recurrenceCases(), nodeDevices);
