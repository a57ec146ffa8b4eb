// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {DepositForm} from "contracts/Depositors.sol";
import {AccountInputs, Part, Settlement, SettlementKind, SmartDepositFactoryB} from "contracts/SmartDepositFactoryB.sol";
import {TransitQuote} from "contracts/Transit.sol";
import {PlainToken} from "devnet/contracts/Tokens.sol";
import {TransitStation} from "devnet/contracts/TransitStation.sol";
import {CallingToken, FalseDepositor} from "./Foes.sol";
import {Vm} from "./Cheats.sol";
import {World} from "./World.sol";

/// What anybody may try, in any order. Nothing here expects success: the invariants say what must hold after it.
contract Moves is World {
    address internal constant NATIVE = address(0);

    FalseDepositor public falseDepositor;
    CallingToken public calling;
    address[3] public destinations = [address(0xD1), address(0xD2), address(0xD3)];
    address[4] public tokens;
    mapping(bytes32 payment => uint256) public settlements;
    bytes32[] public ids;
    uint256 public coinsGiven;
    /// What was offered to Transit, and orders that pay somebody else or in another token.
    uint256 public converted;
    uint256 public strayOrders;
    /// Whom the last order pays.
    address private receiver;

    function setUp() public override {
        super.setUp();
        falseDepositor = new FalseDepositor(address(vault), address(depositor.teller()));
        calling = new CallingToken(address(this));
        tokens = [address(dollar), address(euro), address(calling), NATIVE];
    }

    function fund(uint256 who, uint256 which, uint64 amount) public {
        address token = tokens[which % 4];
        if (token == NATIVE) {
            coinsGiven += amount;
            vm.deal(_account(who), _account(who).balance + amount);
        } else mint(PlainToken(token), _account(who), amount);
    }

    function settle(uint256 who, uint256 by, uint256 kind, uint256 which, uint256 amount) public {
        Settlement memory one = _settlement(who, kind, which, amount);
        vm.recordLogs();
        vm.prank(_actor(by));
        try factory.settle(one) {} catch {}
        _count();
    }

    function settleMany(uint256 who, uint256 by, uint256[4] memory seeds) public {
        Part[] memory parts = new Part[](4);
        for (uint256 i; i < 4; ++i) {
            if (seeds[i] % 5 == 0) {
                parts[i] = partOf(_conversion(who + i, seeds[i] >> 16, seeds[i] >> 8));
                parts[i].value = MESSAGE_FEE;
            } else parts[i] = partOf(_settlement(who + i, seeds[i], seeds[i] >> 8, seeds[i] >> 16));
        }
        vm.recordLogs();
        vm.prank(_actor(by));
        try factory.settleMany{value: by % 2 == 0 ? 3 * MESSAGE_FEE : 0}(parts) {} catch {}
        _count();
    }

    function convert(uint256 who, uint256 by, uint256 amount, uint256 change) public {
        Settlement memory one = _conversion(who, amount, change);
        vm.recordLogs();
        vm.prank(_actor(by));
        try factory.settle{value: by % 4 == 0 ? MESSAGE_FEE : 0}(one) {} catch {}
        _count();
    }

    /// A quote by the true signer, with one field that may be hostile.
    function _conversion(
        uint256 who,
        uint256 amount,
        uint256 change
    ) private returns (Settlement memory) {
        address account = _account(who);
        PlainToken offered = change % 3 == 0 ? dollar : euro;
        TransitQuote memory quote = quoteFor(account, offered, _part(address(offered), who, amount));
        if (change % 7 == 1) quote.receiver = thief;
        if (change % 7 == 2) (quote.integratorFee, quote.integratorFeeReceiver) = (1, thief);
        if (change % 7 == 3) quote.protocolFee += 1;
        if (change % 7 == 4) quote.receiver = _account(who + 1);
        return convertOf(inputsOf(_destination(who)), _payment(change), quote);
    }

    function setRoute(uint256 by, uint256 to) public {
        address[3] memory depositors = [address(depositor), address(falseDepositor), address(0)];
        DepositForm[3] memory forms = [DepositForm.ATTESTED, DepositForm.PLAIN, DepositForm.NONE];
        vm.prank(_actor(by));
        try factory.setRoute(address(vault), depositors[to % 3], forms[to % 3]) {} catch {}
    }

    function setEndpoint(uint256 by, uint32 eid) public {
        vm.prank(_actor(by));
        try factory.setEndpoint(HOME, eid % 2 == 0 ? HOME_EID : AWAY_EID) {} catch {}
    }

    function pause(uint256 by, bool isOn) public {
        vm.prank(_actor(by));
        if (isOn) try factory.pause() {} catch {}
        else try factory.unpause() {} catch {}
    }

    function setKeeper(uint256 by, bool isOn) public {
        vm.prank(_actor(by));
        try factory.setKeeper(address(calling), isOn) {} catch {}
    }

    /// Whatever the calling token does while it moves, it does as a token, and sometimes as a keeper.
    function arm(uint256 who, uint256 kind, uint256 amount) public {
        Settlement memory one = _settlement(who, kind, kind >> 8, amount);
        calling.callWhileMoving(address(factory), abi.encodeCall(factory.settle, (one)));
    }

    function request(uint256 who, uint256 by) public {
        vm.prank(by % 3 == 0 ? _actor(by) : _destination(who));
        try factory.requestWithdrawal(inputsOf(_destination(who))) {} catch {}
    }

    function withdraw(uint256 who, uint256 by, uint256 which) public {
        vm.prank(by % 3 == 0 ? _actor(by) : _destination(who));
        try factory.withdraw(inputsOf(_destination(who)), tokens[which % 4]) {} catch {}
    }

    function wait(uint32 time) public {
        vm.warp(block.timestamp + (time % 3 days));
    }

    function travel(bool isHome) public {
        vm.chainId(isHome ? HOME : AWAY);
    }

    // What the invariants ask

    function accountOf(uint256 who) external view returns (address) {
        return _account(who);
    }

    function world()
        external
        view
        returns (SmartDepositFactoryB, address vault_, address fees)
    {
        return (factory, address(vault), feeRecipient);
    }

    function countOfIds() external view returns (uint256) {
        return ids.length;
    }

    function inputs(uint256 who) external view returns (AccountInputs memory) {
        return inputsOf(_destination(who));
    }

    function _destination(uint256 who) private view returns (address) {
        return destinations[who % 3];
    }

    function _account(uint256 who) private view returns (address) {
        return factory.accountOf(inputsOf(_destination(who)));
    }

    /// Mostly the keeper, because the others are refused most things.
    function _actor(uint256 by) private pure returns (address) {
        address[4] memory others = [owner, guardian, stranger, thief];
        return by % 2 == 0 ? keeper : others[(by / 2) % 4];
    }

    function _settlement(
        uint256 who,
        uint256 kind,
        uint256 which,
        uint256 amount
    ) private returns (Settlement memory) {
        AccountInputs memory its = inputsOf(_destination(who));
        bytes32 payment = _payment(amount >> 3);
        if (kind % 2 == 0) return forwardOf(its, payment, _part(address(dollar), who, amount));
        address token = tokens[which % 4];
        SettlementKind way = kind % 4 == 1 ? SettlementKind.REFUND : SettlementKind.RECOVER;
        return returnOf(way, its, payment, token, _part(token, who, amount));
    }

    /// Mostly a part of what is there.
    function _part(address token, uint256 who, uint256 amount) private view returns (uint256) {
        address account = _account(who);
        uint256 there = token == NATIVE
            ? account.balance
            : PlainToken(token).balanceOf(account);
        return amount % 16 == 0 ? there + 1 : amount % (there + 1);
    }

    /// Mostly a new id.
    function _payment(uint256 seed) private returns (bytes32 payment) {
        if (ids.length > 0 && seed % 8 == 0) return ids[seed % ids.length];
        payment = nextPayment();
        ids.push(payment);
    }

    /// Counts what the logs of the last move say.
    function _count() private {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; i < logs.length; ++i) {
            bytes32 topic = logs[i].topics[0];
            if (topic == TransitStation.OrderBridged.selector) _countOrder(logs[i].data);
            if (logs[i].emitter == address(factory)) _countSettlement(topic, logs[i]);
        }
    }

    function _countSettlement(bytes32 topic, Vm.Log memory log) private {
        bool isForward = topic == SmartDepositFactoryB.Forwarded.selector;
        bool isConversion = topic == SmartDepositFactoryB.Converted.selector;
        bool isReturn = topic == SmartDepositFactoryB.Refunded.selector ||
            topic == SmartDepositFactoryB.Recovered.selector;
        if (isForward || isConversion || isReturn) settlements[log.topics[2]] += 1;
        if (isConversion) {
            (, uint256 offered) = abi.decode(log.data, (address, uint256));
            converted += offered;
            if (address(uint160(uint256(log.topics[1]))) != receiver) strayOrders += 1;
        }
    }

    function _countOrder(bytes memory data) private {
        (, TransitStation.OrderTerms memory terms) = abi.decode(
            data,
            (bytes32, TransitStation.OrderTerms)
        );
        receiver = terms.receiver;
        if (terms.wantAsset != address(dollar)) strayOrders += 1;
    }
}
