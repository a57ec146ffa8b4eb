// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccountInputs, Part, Settlement, SettlementKind, SmartDepositFactoryB} from "contracts/SmartDepositFactoryB.sol";
import {World} from "./World.sol";

/// Writes gas/SmartDepositFactoryB.json, which the tests compare. A test is one transaction, so all is cooled first.
contract GasTest is World {
    uint256 private constant AMOUNT = 100e6;
    string private constant GROUP = "SmartDepositFactoryB";

    function test_deployment() public {
        bytes memory args = abi.encode(owner, guardian, _promises());
        bytes memory code = abi.encodePacked(type(SmartDepositFactoryB).creationCode, args);
        vm.startSnapshotGas(GROUP, "deployment");
        (bool isDone, ) = 0x4e59b44847b379578588920cA78FbF26c0B4956C.call(
            abi.encodePacked(bytes32(0), code)
        );
        vm.stopSnapshotGas();
        assertTrue(isDone, "deployed");
    }

    function test_firstForward() public {
        _measure("forward, the first", _one(SettlementKind.FORWARD, 1));
    }

    function test_nextForward() public {
        _create(1);
        _measure("forward", _one(SettlementKind.FORWARD, 1));
    }

    function test_nextRefund() public {
        _create(1);
        _measure("refund", _one(SettlementKind.REFUND, 1));
    }

    function test_nextConversion() public {
        _create(1);
        vm.chainId(AWAY);
        AccountInputs memory inputs = _inputs(1);
        address account = factory.accountOf(inputs);
        mint(euro, account, AMOUNT);
        Settlement memory one = convertOf(inputs, nextPayment(), quoteFor(account, euro, AMOUNT));
        _cool();
        vm.prank(keeper);
        vm.startSnapshotGas(GROUP, "conversion");
        factory.settle{value: MESSAGE_FEE}(one);
        vm.stopSnapshotGas();
    }

    function test_requestAndWithdrawal() public {
        AccountInputs memory inputs = _inputs(1);
        mint(dollar, factory.accountOf(inputs), AMOUNT);
        _cool();
        vm.prank(inputs.destination);
        vm.startSnapshotGas(GROUP, "request");
        factory.requestWithdrawal(inputs);
        vm.stopSnapshotGas();
        vm.warp(block.timestamp + DELAY);
        _cool();
        vm.prank(inputs.destination);
        vm.startSnapshotGas(GROUP, "withdrawal, the first");
        factory.withdraw(inputs, address(dollar));
        vm.stopSnapshotGas();
    }

    /// A settlement of a batch of 20 costs at most 0.7 of a single one. Both with the 21,000 of a transaction.
    function test_batch() public {
        for (uint256 i = 1; i <= 20; ++i) _create(i);
        Part[] memory parts = new Part[](20);
        for (uint256 i; i < 20; ++i) parts[i] = partOf(_one(SettlementKind.FORWARD, i + 1));
        Settlement memory single = _one(SettlementKind.FORWARD, 1);
        _cool();
        vm.prank(keeper);
        vm.startSnapshotGas(GROUP, "batch of 20 forwards");
        factory.settleMany(parts);
        uint256 each = (vm.stopSnapshotGas() + 21_000) / 20;
        _cool();
        vm.prank(keeper);
        uint256 before = gasleft();
        factory.settle(single);
        uint256 alone = before - gasleft() + 21_000;
        assertTrue(each * 10 <= alone * 7, "at most 0.7 of a single one");
    }

    function _measure(string memory name, Settlement memory one) private {
        _cool();
        vm.prank(keeper);
        vm.startSnapshotGas(GROUP, name);
        factory.settle(one);
        vm.stopSnapshotGas();
    }

    function _inputs(uint256 who) private view returns (AccountInputs memory) {
        return inputsOf(address(uint160(0xD000 + who)));
    }

    function _one(SettlementKind kind, uint256 who) private returns (Settlement memory) {
        AccountInputs memory inputs = _inputs(who);
        mint(dollar, factory.accountOf(inputs), AMOUNT);
        bytes32 payment = nextPayment();
        return
            kind == SettlementKind.FORWARD
                ? forwardOf(inputs, payment, AMOUNT)
                : returnOf(kind, inputs, payment, address(dollar), AMOUNT);
    }

    /// As after an earlier payment: the account has code, and the destination has shares.
    function _create(uint256 who) private {
        Settlement memory one = _one(SettlementKind.FORWARD, who);
        vm.prank(keeper);
        factory.settle(one);
    }

    function _cool() private {
        address[9] memory all = [
            address(factory),
            address(factory.implementation()),
            address(authority),
            address(vault),
            address(depositor),
            address(depositor.teller()),
            address(depositor.teller().accountant()),
            address(dollar),
            address(station)
        ];
        for (uint256 i; i < all.length; ++i) vm.cool(all[i]);
        vm.cool(address(euro));
        vm.cool(address(depositor.feeModule()));
        for (uint256 i = 1; i <= 20; ++i) vm.cool(factory.accountOf(_inputs(i)));
    }
}
