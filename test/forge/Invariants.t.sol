// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccountInputs, SmartDepositFactoryB} from "contracts/SmartDepositFactoryB.sol";
import {PlainToken} from "devnet/contracts/Tokens.sol";
import {Cheats} from "./Cheats.sol";
import {Moves} from "./Moves.sol";

/// What holds after any sequence of moves of keeper, owner, guardian, destinations, strangers, a hostile token and a false depositor.
contract InvariantsTest is Cheats {
    address private constant guardian = address(0x6A1);
    address private constant keeper = address(0x4EE);
    address private constant recoveryWallet = address(0x4EC);
    address private constant transitVault = address(0x77A);

    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    Moves private moves;
    SmartDepositFactoryB private factory;
    address private vault;
    address private fees;

    function setUp() public {
        moves = new Moves();
        moves.setUp();
        (factory, vault, fees) = moves.world();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(moves);
    }

    function targetSelectors() external view returns (FuzzSelector[] memory targets) {
        bytes4[15] memory all = [
            Moves.fund.selector,
            Moves.fund.selector,
            Moves.settle.selector,
            Moves.settle.selector,
            Moves.settleMany.selector,
            Moves.convert.selector,
            Moves.convert.selector,
            Moves.setRoute.selector,
            Moves.setEndpoint.selector,
            Moves.pause.selector,
            Moves.setKeeper.selector,
            Moves.arm.selector,
            Moves.request.selector,
            Moves.withdraw.selector,
            Moves.wait.selector
        ];
        bytes4[] memory selectors = new bytes4[](16);
        for (uint256 i; i < 15; ++i) selectors[i] = all[i];
        selectors[15] = Moves.travel.selector;
        targets = new FuzzSelector[](1);
        targets[0] = FuzzSelector(address(moves), selectors);
    }

    /// One campaign for all of them, because each would have its own histories.
    function invariant_theFundsAreWhereTheyMayBe() external view {
        _everyUnitIsAtAnAllowedPlace();
        _everyOrderPaysTheAccountItself();
        _noPaymentIsSettledTwice();
        _coinsStayWithTheirOwners();
    }

    /// At an account, its destination, the recovery wallet, the vault or with Transit, or it was the fee of the vault.
    function _everyUnitIsAtAnAllowedPlace() private view {
        for (uint256 i; i < 3; ++i) {
            PlainToken token = PlainToken(moves.tokens(i));
            uint256 allowed = token.balanceOf(recoveryWallet) +
                token.balanceOf(vault) +
                token.balanceOf(transitVault) +
                token.balanceOf(fees);
            for (uint256 who; who < 3; ++who)
                allowed +=
                    token.balanceOf(moves.accountOf(who)) +
                    token.balanceOf(moves.destinations(who));
            assertEq(allowed, token.totalSupply(), "units at allowed places");
        }
    }

    /// All that Transit has is of orders that pay an account of ours in the accepted token.
    function _everyOrderPaysTheAccountItself() private view {
        assertEq(moves.strayOrders(), 0, "orders to others");
        uint256 held;
        for (uint256 i; i < 3; ++i) held += PlainToken(moves.tokens(i)).balanceOf(transitVault);
        assertEq(held, moves.converted(), "what Transit has");
    }

    function _noPaymentIsSettledTwice() private view {
        for (uint256 i; i < moves.countOfIds(); ++i) {
            uint256 count = moves.settlements(moves.ids(i));
            assertTrue(count <= 1, "once");
            assertTrue(factory.isSettled(moves.ids(i)) == (count == 1), "marked as it is");
        }
    }

    function _coinsStayWithTheirOwners() private view {
        uint256 sum = recoveryWallet.balance;
        for (uint256 who; who < 3; ++who)
            sum += moves.accountOf(who).balance + moves.destinations(who).balance;
        assertEq(sum, moves.coinsGiven(), "the users' coins");
        assertEq(address(factory).balance, 0, "none in the factory");
    }

    /// At the end of every history a hostile operator does all that it can, and the destinations take everything.
    function afterInvariant() external {
        vm.prank(guardian);
        try factory.pause() {} catch {}
        vm.prank(guardian);
        factory.stopRoute(vault);
        vm.prank(guardian);
        factory.dismissKeeper(keeper);
        for (uint256 who; who < 3; ++who) {
            AccountInputs memory inputs = moves.inputs(who);
            vm.prank(inputs.destination);
            factory.requestWithdrawal(inputs);
        }
        vm.warp(block.timestamp + factory.withdrawalDelay());
        for (uint256 who; who < 3; ++who)
            for (uint256 i; i < 4; ++i) _takeAll(who, moves.tokens(i));
    }

    function _takeAll(uint256 who, address token) private {
        address account = moves.accountOf(who);
        if (_balance(token, account) == 0) return;
        AccountInputs memory inputs = moves.inputs(who);
        vm.prank(inputs.destination);
        factory.withdraw(inputs, token);
        assertEq(_balance(token, account), 0, "nothing is stuck");
    }

    function _balance(address token, address account) private view returns (uint256) {
        return token == address(0) ? account.balance : PlainToken(token).balanceOf(account);
    }
}
